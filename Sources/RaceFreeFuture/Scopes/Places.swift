// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A piece of work that waits for a place before it begins.
///
/// `@unchecked Sendable` only because its superclass is.
final class PlacedFuture: Future, @unchecked Sendable {
  /// Pending while the work waits, completed when it gets a place, and cancelled if it is resolved before that.
  let turn: Future

  init(label: String?, site: CreationSite) {
    turn = Future(label: label, site: site)
    super.init(label: label, site: site, sources: SourceList())
  }

  var isWaiting: Bool { turn.isPending && isPending }

  /// Runs the work in a task as soon as there is a place, unless this future is resolved by then.
  ///
  /// A task from the start, so that it has the priority and the task-local values of its caller.
  func startTask(
    in places: Places,
    _ priority: TaskPriority? = nil,
    _ work: @escaping @Sendable () async -> Resolution?
  ) {
    places.enter(self)
    startTask(priority) { [self] in
      _ = await turn.resolvedOutcome
      return isPending ? await work() : nil
    }
  }
}

extension Future {
  /// Starts work whose outcome this future gets, and which it cancels; returns when the work has ended.
  func follow<Value>(_ start: () throws -> ValueFuture<Value>) async -> Resolution? {
    do {
      let work = try start()
      work.future.connect(Link(.follow, backward: .cascade, from: work.future, to: self, keeping: .target), to: self)
      work.demand()
      await work.drain()
      return nil
    } catch {
      return .thrown(error)
    }
  }
}

/// Places for work: each is taken by a piece of work until its end; the others wait in order.
///
/// Its turn decides whether work that waits gets a place or is resolved before.
final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting = NumberedQueue<PlacedFuture>()

    /// Takes a free place; without one, returns the number of the wait.
    mutating func enter(_ work: PlacedFuture) -> Int? {
      if free == 0 { return waiting.append(work) }
      free -= 1
      return nil
    }

    /// Returns the first that waits, for a place that has become free; nil if nobody waits, and the place stays free.
    mutating func leave() -> PlacedFuture? {
      if let next = waiting.popFirst() { return next }
      free += 1
      return nil
    }
  }

  /// Guards the number of free places and the work that waits, which is told outside.
  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: count)) }

  /// The number of waiting pieces of work.
  var waitCount: Int { state.withLock { $0.waiting.count } }

  /// Gives the work a place as soon as there is one, until its end.
  fileprivate func enter(_ work: PlacedFuture) {
    let turn = work.turn
    let number = state.withLock { $0.enter(work) }
    if number == nil { turn.complete() }
    _ = work.register(HandlerNode(role: .library) { _ in turn.cancel() })
    work.awaitEnd(
      HandlerNode(role: .awaitsEnd) { [self] _ in
        if turn.isCompleted {
          pass()
        } else if let number {
          state.release { $0.waiting.remove(number) }
        }
      }
    )
  }

  /// Gives a place that has become free to the first that still waits.
  private func pass() {
    while let next = state.withLock({ $0.leave() }) {
      if next.turn.decide(.completed) { return }
    }
  }
}
