// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
import Foundation

/// Runs a block on a thread of its own and suspends until it has returned: the only place where tests may block,
/// because a blocked thread of the shared pool would starve every task with it.
///
/// `stackSize` is in bytes; a thread of a pool has half a megabyte.
package func onThread<T: Sendable>(stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    startThread(stackSize: stackSize) { continuation.resume(returning: body()) }
  }
}

/// Runs blocks at the same time, each on a thread of its own, and suspends until all have returned.
package func onThreads(_ bodies: [@Sendable () -> Void]) async {
  await withTaskGroup(of: Void.self) { group in
    for body in bodies { group.addTask { await onThread(body) } }
  }
}

/// Starts a thread and doesn't wait for it.
package func startThread(stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
  let thread = Thread { body() }
  thread.stackSize = stackSize
  thread.start()
}

extension DispatchTime {
  /// When a thread that waits for what is certain to come gives up: in a quarter of an hour.
  ///
  /// Long after the slowest machine is done. Who waits in vain stops the program, with a message that says for what.
  package static var muchLater: DispatchTime { .now() + 900 }
}
