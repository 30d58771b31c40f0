// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Dispatch
  package import Foundation
  internal import RaceFreeFuture

  /// A serial delegate queue that makes the network wait for the disk.
  ///
  /// FoundationNetworking adds an operation for each piece of a body as fast as the pieces come, and each holds its piece
  /// in memory. Its tasks can't be slowed down: one that is suspended begins anew when it is resumed. So whoever adds a
  /// block when too many are in line waits until one of them is done. That is the thread which reads from the network,
  /// for all sessions of the program; it does the same when FoundationNetworking writes a file itself.
  ///
  /// A block that waits for that thread in turn, as `URLSessionTask.cancel()` does, would wait for itself. So nobody
  /// waits for longer than the patience, and after that nobody at all until a block is done. Operations that aren't added
  /// as blocks never wait.
  ///
  /// `@unchecked Sendable`, because its superclass is: what it adds is constant, or behind the lock.
  package final class PacedQueue: OperationQueue, @unchecked Sendable {
    private struct State {
      /// How many blocks are in line or running.
      var blocks = 0
      var waiting = 0
      /// Whether nobody waits: the running block takes too long, or says that it needs those who would wait.
      var isStuck = false
    }

    private let limit: Int
    private let patience: Duration
    private let state = Locked(State())
    /// Signalled once for each that is taken off `waiting` by somebody else.
    private let turn = DispatchSemaphore(value: 0)

    package init(limit: Int = 256, patience: Duration = .seconds(1)) {
      self.limit = limit
      self.patience = patience
      super.init()
      maxConcurrentOperationCount = 1
    }

    package override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let isToWait = state.withLock { state in
        state.blocks += 1
        guard state.blocks > limit, !state.isStuck else { return false }
        state.waiting += 1
        return true
      }
      if isToWait { wait() }
      let end = AtEnd { [self] in blockHasGone() }
      super.addOperation {
        block()
        withExtendedLifetime(end) {}
      }
    }

    /// How many wait until they may add a block.
    package var waitingCount: Int { state.withLock { $0.waiting } }

    /// Runs what may wait for the thread that reads from the network; if this is a block of such a queue, that thread
    /// doesn't wait for it meanwhile.
    static func unpaced<Result>(_ body: () -> Result) -> Result {
      if let queue = current as? PacedQueue { queue.unpaced(body) } else { body() }
    }

    /// Runs what may wait for those who add blocks: meanwhile they don't wait for it.
    package func unpaced<Result>(_ body: () -> Result) -> Result {
      let waiting = state.withLock { state in
        state.isStuck = true
        defer { state.waiting = 0 }
        return state.waiting
      }
      for _ in 0..<waiting { turn.signal() }
      defer { state.withLock { $0.isStuck = false } }
      return body()
    }

    private func wait() {
      guard turn.wait(timeout: .after(patience)) == .timedOut else { return }
      let isTaken = state.withLock { state in
        // If nobody is waiting any more, somebody has taken this one off meanwhile.
        guard state.waiting > 0 else { return true }
        state.waiting -= 1
        state.isStuck = true
        return false
      }
      // The signal is there, or comes at once.
      if isTaken { turn.wait() }
    }

    /// A block is done; or it never runs, because its operation has been cancelled.
    private func blockHasGone() {
      let isWaitedFor = state.withLock { state in
        state.blocks -= 1
        state.isStuck = false
        guard state.waiting > 0 else { return false }
        state.waiting -= 1
        return true
      }
      if isWaitedFor { turn.signal() }
    }
  }

  /// Calls a function when it goes.
  private final class AtEnd: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }
#endif
