// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// A closed door which threads wait at until somebody opens it.
///
/// Once open it stays open.
///
/// Waiting blocks, so wait only on a private queue or inside `onThread`. After five minutes (under a sanitizer, with
/// all tests at once, a test may wait that long for its turn) it stops the program and says which gate stayed closed: a
/// hanging test that doesn't end would say nothing.
package final class Gate: Sendable {
  private let name: String
  private let semaphore = DispatchSemaphore(value: 0)

  package init(_ name: String) { self.name = name }

  package func open() { semaphore.signal() }

  package func wait() {
    guard semaphore.wait(timeout: .now() + 300) == .success else { fatalError("nobody opened the gate \"\(name)\"") }
    semaphore.signal()
  }

  /// Like `wait`, for tasks.
  package func passed() async { await onThread { self.wait() } }
}
