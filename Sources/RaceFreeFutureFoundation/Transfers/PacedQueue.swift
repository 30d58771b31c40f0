// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Dispatch
  package import Foundation
  internal import RaceFreeFuture

  /// A serial delegate queue that makes the network wait for the disk.
  ///
  /// FoundationNetworking adds an operation for each piece of a body as fast as the pieces arrive, and each holds its
  /// piece in memory. Its tasks can't be slowed down: a suspended one begins from the start when it is resumed. So
  ///
  /// 1. after as many blocks as the limit the events of the network pause, until no more than half of them are left: the
  ///    session has its turn for everything else, and memory is bounded;
  /// 2. one event may bring many blocks, since bodies are decompressed, and chunks may be small: the thread that adds a
  ///    block when twice as many are queued waits until one of them is done. That thread reads from the network for all
  ///    sessions of the program.
  ///
  /// Without a network queue there are no pauses, and the second limit is that of the first.
  ///
  /// A block that waits for that thread in turn, as `URLSessionTask.cancel()` does, would wait for itself. So no thread
  /// waits for longer than the patience, and after that none waits at all until a block is done. Adding operations
  /// other than blocks never waits.
  ///
  /// `@unchecked Sendable`, because its superclass is: what it adds is constant, or behind the lock.
  package final class PacedQueue: OperationQueue, @unchecked Sendable {
    private struct State {
      var network: NetworkQueue?
      /// The number of blocks that are queued or running.
      var blocks = 0
      /// The number of blocks that were added since the last pause.
      var added = 0
      /// True from the decision to pause until the decision to go on.
      var isPausing = false
      var pause: NetworkQueue.Pause?
      var waiting = 0
      /// True if threads don't wait: the running block takes too long, or has declared that it needs them.
      var isStuck = false
    }

    private let limit: Int
    private let patience: Duration
    /// Guards the number of blocks, and the pause, which is released outside; threads wait outside.
    private let state = Locked(State())
    /// Signalled once for each waiting thread that another thread removes from `waiting`.
    private let turn = DispatchSemaphore(value: 0)

    package init(limit: Int = 256, patience: Duration = .seconds(1)) {
      self.limit = limit
      self.patience = patience
      super.init()
      maxConcurrentOperationCount = 1
    }

    /// Sets the queue that pauses; nil if there is none.
    package func pace(_ network: NetworkQueue?) { state.withLock { $0.network = network } }

    package override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let (network, isToWait) = state.withLock { state in
        (state.blocks, state.added) = (state.blocks + 1, state.added + 1)
        var network: NetworkQueue?
        if state.added >= limit, !state.isPausing, state.network != nil {
          (network, state.isPausing) = (state.network, true)
        }
        let isToWait = state.blocks > (state.network == nil ? limit : 2 * limit) && !state.isStuck
        if isToWait { state.waiting += 1 }
        return (network, isToWait)
      }
      if let network { keep(network.pause()) }
      if isToWait { wait() }
      let end = AtEnd { [self] in blockHasGone() }
      super.addOperation {
        block()
        withExtendedLifetime(end) {}
      }
    }

    /// Keeps a pause, unless it is over already.
    private func keep(_ pause: NetworkQueue.Pause) {
      state.withLock { state in
        if state.isPausing, state.pause == nil { state.pause = pause }
      }
    }

    /// The number of threads that wait until they may add a block.
    package var waitingCount: Int { state.withLock { $0.waiting } }

    /// Runs a body that may wait for the thread that reads from the network; inside a block of such a queue, that
    /// thread doesn't wait for the block meanwhile.
    static func unpaced<Result>(_ body: () -> Result) -> Result {
      if let queue = current as? PacedQueue { queue.unpaced(body) } else { body() }
    }

    /// Runs a body that may wait for threads that add blocks: meanwhile they don't wait for it.
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
        // If no thread is waiting any more, another thread has removed this one meanwhile.
        guard state.waiting > 0 else { return true }
        state.waiting -= 1
        state.isStuck = true
        return false
      }
      // The signal has been sent, or comes at once.
      if isTaken { turn.wait() }
    }

    /// Notes that a block is done, or never runs because its operation has been cancelled.
    private func blockHasGone() {
      let (isWaitedFor, pause) = state.withLock { state in
        state.blocks -= 1
        state.isStuck = false
        let isWaitedFor = state.waiting > 0
        if isWaitedFor { state.waiting -= 1 }
        guard state.isPausing, state.blocks <= limit / 2 else { return (isWaitedFor, NetworkQueue.Pause?.none) }
        defer { (state.isPausing, state.pause, state.added) = (false, nil, 0) }
        return (isWaitedFor, state.pause)
      }
      _ = consume pause
      if isWaitedFor { turn.signal() }
    }
  }

  /// Calls a function when it is released.
  private final class AtEnd: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }
#endif
