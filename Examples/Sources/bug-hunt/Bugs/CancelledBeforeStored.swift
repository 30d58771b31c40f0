// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// The cancellation comes before the work has been stored that it should stop.
enum CancelledBeforeStored {
  static let bug = Bug(id: "A5", title: "A cancellation before there is anything to cancel", async: program)

  private final class Download: Sendable {
    private let work = Mutex((task: Task<Void, Never>?.none, isCancelled: false))
    let hasEnded = Mutex(false)

    func run(_ side: Bug.Side) async {
      await withTaskCancellationHandler {
        let new = Task {
          // An hour, unless it is stopped.
          try? await Task.sleep(for: .seconds(3_600))
          hasEnded.withLock { $0 = true }
        }
        await Task.yield()
        let isLate = work.withLock { work in
          work.task = new
          return work.isCancelled
        }
        if side == .fixed, isLate { new.cancel() }
        await new.value
      } onCancel: {
        let task = work.withLock { work in
          work.isCancelled = true
          return work.task
        }
        task?.cancel()
      }
    }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let (download, clock) = (Download(), Watch())
    let task = Task {
      await download.run(side)
      clock.stop()
    }
    await Task.yield()
    task.cancel()
    // A stopped program is quicker than this.
    async let waited: Void = clock.expire()
    _ = await (task.value, waited)
    return clock.hasExpired ? "it went on" : nil
  }

  /// Tells if something took longer than a second, without waiting for more than that.
  private final class Watch: Sendable {
    private let state = Mutex((isStopped: false, hasExpired: false))
    private let timer = Mutex(Task<Void, Never>?.none)

    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    func stop() { state.withLock { $0.isStopped = true } }

    func expire() async {
      try? await Task.sleep(for: .milliseconds(200))
      state.withLock { if !$0.isStopped { $0.hasExpired = true } }
    }
  }
}
