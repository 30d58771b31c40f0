// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// The delivery of a future that is resolved: what waited for it is run or dispatched, piece by piece, by the thread
/// that has decided it (M4).
///
/// Each piece is taken under the future's lock, and carried out outside; but late entries are dispatched inside.
struct Delivery: ~Copyable {
  let future: Future
  var pieces: FutureMachine.Delivery

  /// Cuts a source, carries out the piece that was taken, or takes the next one.
  ///
  /// - Returns: False if that was the last step.
  @inline(__always)
  mutating func step(by engine: inout Engine) -> Bool {
    // What was taken before the piece, and has nothing to do.
    while let entry = pieces.dropped.popFirst() { entry.drop() }
    if let source = pieces.sources.popFirst() {
      future.cut(source)
      return true
    }
    switch exchange(&pieces.step, with: .next) {
    case .next: future.process { $0.next(&pieces, on: .current) }
    case .run(let work, let handler):
      work.run(pieces.resolution, engine.hooks)
      pieces.returned = handler
    case .wake(let waiters): Future.wake(waiters, pieces.resolution)
    case .leave(let group): group.leave()
    case .dispatch(let batch, let place): engine.enqueue(.handlers(batch, place), of: future)
    case .answer(let stage):
      if !stage.runsInline {
        engine.enqueue(.stage(stage, pieces.resolution), of: future)
      } else if let answer = stage.run(pieces.resolution) {
        engine.decide(stage.target, answer)
      }
    case .pass(let link):
      // One that is resolved cuts it.
      if let target = link.future(at: .target), target.decidedOutcome == nil { target.process { $0.ignore(link) } }
    case .forget(let child): child.forgetParent()
    case .late: dispatchLate(by: &engine)
    case .over(let ending?):
      pieces.unused = nil
      future.conclude(ending)
      return false
    case .over: return false
    }
    return true
  }

  /// Dispatches late handlers and takes what follows, before the lock is left: so later blocks on the queue don't
  /// overtake them, and it is over, however many threads continue adding.
  ///
  /// All of them are for queues, and belong to the outcome: no user code is run by that. Nor is any released: a stage,
  /// which keeps its target, may have had its turn already, so it is kept until the lock is left (L6).
  private mutating func dispatchLate(by engine: inout Engine) {
    var stages: [Stage] = []
    // A scheduler is called without a lock; it has one thread, on which nothing comes in between.
    if future.hasScheduler {
      while future.process({ $0.nextLate(&pieces) }) { dispatch(by: &engine, &stages) }
    } else {
      future.process { machine in
        while machine.nextLate(&pieces) { dispatch(by: &engine, &stages) }
      }
    }
    withExtendedLifetime(stages) {}
  }

  private mutating func dispatch(by engine: inout Engine, _ stages: inout [Stage]) {
    switch exchange(&pieces.step, with: .over(nil)) {
    case .dispatch(let batch, let place): engine.enqueue(.handlers(batch, place), of: future)
    case .answer(let stage):
      stages.append(stage)
      engine.enqueue(.stage(stage, pieces.resolution), of: future)
    default: break
    }
  }
}

extension Entry {
  /// Releases an entry that this thread has taken, and the work of a handler (E1).
  func drop() {
    switch self {
    case .node(let node): unsafe node._withUnsafeGuaranteedRef { _ = $0.handler.take() }
    case .timer(let timer): unsafe timer._withUnsafeGuaranteedRef { _ = Timers.shared.stop($0) }
    case .link, .child, .derived: break
    }
    release()
  }
}

extension Link {
  /// Makes the source of the link drop it: the target is resolved.
  func cut() {
    // A source that the link keeps needn't be retained for the call; any other may be gone.
    if keptEnd == .source {
      kept.process { $0.detach(self) }
    } else {
      future(at: .source)?.process { $0.detach(self) }
    }
  }
}

extension Future {
  /// Cuts the link of this resolved future to a source.
  @inline(__always)
  func cut(_ source: SourceList.Source) {
    switch source {
    case .link(let link): link.cut()
    case .parent(let parent): leave(parent)
    // Only a derived future has one.
    case .derivation: unsafe unsafeDowncast(self, to: DerivedFuture.self).cut()
    }
  }

  /// Runs or dispatches a handler that came after the outcome, and that the machine has counted.
  func dispatchLate(_ node: HandlerNode, _ resolution: Resolution) {
    guard node.standing == .taken else {
      return enqueue(.handlers(FutureMachine.Batch(.node(node)), node.handler.place))
    }
    if let work = node.handler.take() { work.run(resolution) }
    letGo()
  }

  /// Runs or dispatches a stage that came after the outcome, and that the machine has counted; returns its answer.
  func dispatchLate(_ stage: Stage, _ resolution: Resolution) -> Resolution? {
    guard stage.runsInline else {
      enqueue(.stage(stage, resolution))
      return nil
    }
    defer { letGo() }
    return stage.run(resolution)
  }

  // MARK: Queues

  /// Gives work to its queue.
  func enqueue(_ work: Engine.QueuedWork) {
    switch work {
    case .decision(let resolution):
      enqueue(resolution.outcome == .completed ? .complete : .cancel) { [self] in decide(resolution, .dequeued) }
    case .handlers(let batch, let place):
      dispatch(batch, place)
    case .stage(let stage, let resolution):
      let work: @Sendable () -> Void = { [self] in
        stage.target.decide(byLink: stage.run(resolution))
        letGo()
      }
      if case .queue(let queue) = stage.target.context { return dispatch(.stage, on: queue, work) }
      enqueue(.stage, work)
    }
  }

  /// Gives handlers to their queue, in one block.
  private func dispatch(_ batch: FutureMachine.Batch, _ place: HandlerPlace.Kind) {
    // A block that captures a single object needs no context of its own.
    var block: @Sendable () -> Void = { [self] in run(batch) }
    if case .first = batch.first, batch.others.isEmpty { block = { [self] in run(FutureMachine.Batch(.first)) } }
    let kind = hasScheduler ? kind(of: batch) : .stage
    if case .queue(let queue) = place { dispatch(kind, on: queue, block) } else { enqueue(kind, block) }
  }

  /// The kind of the handlers, for a scheduler.
  private func kind(of batch: FutureMachine.Batch) -> ScheduledWork.Kind {
    guard case .node(let node) = batch.first else { return process { $0.handlers.first.kind(.user) } }
    return node.handler.kind(node.role)
  }

  /// Runs handlers, each unless it was unregistered, and counts their return.
  private func run(_ batch: FutureMachine.Batch) {
    guard let resolution else { return }
    var (batch, returned) = (batch, HandlerID?.none)
    while true {
      switch process({ $0.next(of: &batch, after: returned.take(), on: .current) }) {
      case .run(let work, let handler):
        work.run(resolution)
        returned = handler
      case .leave(let group): group.leave()
      case .over(let ending?): return conclude(ending)
      default: return
      }
    }
  }

  // MARK: Waiters

  /// Wakes the waiters for the outcome, before the handlers of any future of the tree start.
  func wakeWaiters() {
    let waiters = process { $0.handlers.takeWaiters() }
    if let resolution { Self.wake(waiters, resolution) }
  }

  static func wake(_ waiters: consuming EntryList, _ resolution: Resolution) {
    while let waiter = waiters.popFirst() {
      waiter.node?.handler.take()?.run(resolution)
      waiter.release()
    }
  }
}
