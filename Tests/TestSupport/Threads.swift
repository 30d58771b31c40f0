// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting

/// Runs a block on a thread of its own and suspends until it has returned: the only place where tests may block,
/// because a blocked thread of the shared pool would starve every task with it.
///
/// `stackSize` is in bytes; a thread of a pool has half a megabyte. A block that doesn't return stops the program, with
/// the place of this call.
package func onThread<T: Sendable>(
  stackSize: Int = 1 << 20,
  fileID: String = #fileID,
  line: Int = #line,
  _ body: @escaping @Sendable () -> T
) async -> T {
  // It has the patience of a gate.
  let limit = Gate("", deadline: .seconds(60)).deadline
  // Thread-safe, but not declared so.
  nonisolated(unsafe) let alarm = DispatchSource.makeTimerSource()
  let message = "the block on a thread of \(fileID):\(line) hasn't returned within \(limit)"
  unsafe alarm.setEventHandler { fatalError(message) }
  unsafe alarm.schedule(deadline: .after(limit))
  unsafe alarm.activate()
  return await withCheckedContinuation { continuation in
    startThread(stackSize: stackSize) {
      let result = body()
      unsafe alarm.cancel()
      continuation.resume(returning: result)
    }
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
