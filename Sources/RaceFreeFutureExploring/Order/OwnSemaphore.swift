// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import Dispatch

/// A semaphore of the explorer's own, on threads that run explored code: nothing of it is noticed as a call of that.
struct OwnSemaphore: Sendable {
  private let semaphore = OwnSemaphore.unnoticed { DispatchSemaphore(value: 0) }

  func signal() { Self.unnoticed { _ = semaphore.signal() } }

  func wait() { Self.unnoticed { semaphore.wait() } }

  /// Returns false if the time is up before.
  func wait(until time: DispatchTime) -> Bool { Self.unnoticed { semaphore.wait(timeout: time) == .success } }

  static func unnoticed<Result>(_ body: () -> Result) -> Result {
    let was = rff_setBusy(true)
    defer { _ = rff_setBusy(was) }
    return body()
  }
}
