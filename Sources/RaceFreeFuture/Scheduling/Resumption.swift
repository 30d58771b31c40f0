// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture
internal import Dispatch

/// The rule for resuming tasks: not on a thread that holds a private queue, of whichever future (law L6).
///
/// A task's cancellation handler runs under a lock of the Swift runtime, which resuming also takes. If the handler
/// waited for a private queue on which another thread was resuming, both would wait forever. A scheduler never waits.
enum Resumption {
  /// True if the calling thread holds a private queue; a task is then resumed by `later`.
  @inline(__always)
  static var hasToWait: Bool { rff_heldQueues() > 0 }

  /// Resumes a task from a thread of a global queue.
  static func later(_ resume: @escaping @Sendable () -> Void) {
    if Scheduling.current != nil { return resume() }
    DispatchQueue.global().async(execute: resume)
  }

  /// Resumes a task at once, if that is allowed here.
  static func perform(_ resume: @escaping @Sendable () -> Void) {
    if hasToWait { later(resume) } else { resume() }
  }
}
