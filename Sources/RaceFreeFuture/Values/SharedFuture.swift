// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One piece of work that several clients wait for, each with a future of its own.
///
/// Each call of ``join(label:)`` makes a future that gets the outcome of the work. Cancelling it takes one joiner away and
/// leaves the others alone; when the last joiner has cancelled or gone, the work is cancelled.
///
/// ```swift
/// final class Images: Sendable {
///   private let running = Mutex<[String: SharedFuture<Image>]>([:])
///
///   func image(_ name: String) -> ValueFuture<Image> {
///     running.withLock { running in
///       if let joiner = running[name]?.join() { return joiner }
///       let shared = SharedFuture(.lazy { token in try decode(name, token) })
///       running[name] = shared
///       return shared.join() ?? load(name)
///     }
///   }
/// }
/// ```
public final class SharedFuture<Value: Sendable>: Sendable {
  private let work: ValueFuture<Value>
  private let joiners: Joiners

  /// Makes work that can be joined.
  ///
  /// As long as nobody has joined, it is left alone: a lazy future starts when the first one joins.
  ///
  /// - Parameter work: The work. Cancelling it cancels all joiners, so keep it to yourself.
  public init(_ work: ValueFuture<Value>) {
    self.work = work
    joiners = Joiners(work.future)
  }

  /// Creates a future that gets the outcome of the work.
  ///
  /// If the work has ended with a value or an error, the new future has it already. A joiner is away when its future is
  /// resolved or its last reference has gone; joiners keep the work alive, which doesn't keep them. Callable from any
  /// thread; never blocks; but the last joiner's end cancels the work, and so runs its inline handlers.
  ///
  /// A value that has an `onUndelivered` is passed on to all: it is received when somebody receives it from one of them,
  /// and given back once, when the work and all joiners have gone without that.
  ///
  /// - Parameter label: A name for descriptions and errors; without one the new future is called as the work is.
  /// - Returns: The new future; nil if the work has been cancelled, or is going to be because its last joiner has left:
  ///   start new work then.
  public func join(label: String? = nil) -> ValueFuture<Value>? {
    let membership = joiners.enter()
    guard membership != nil || work.isCompleted else { return nil }
    let joiner = Future(label: label ?? work.future.label, site: work.future.site)
    // Whether the joiner's future is resolved or released, this is released with it; until then it keeps the work.
    if let membership { _ = joiner.register(HandlerNode { _, _ in withExtendedLifetime(membership) {} }) }
    work.future.connect(Link(.follow, from: work.future, to: joiner, keeping: .source, need: .any), to: joiner)
    work.demand()
    guard !joiner.isCancelled else { return nil }
    return ValueFuture(joiner)
  }
}

/// How many there are, and whether more may come.
private final class Joiners: Sendable {
  private struct State {
    var count = 0
    /// The last one has left, and the work is being cancelled.
    var isClosed = false
  }

  private let state = Locked(State())
  private let work: Future

  init(_ work: Future) { self.work = work }

  /// Takes one in; nil if it is too late.
  func enter() -> Membership? {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.count += 1 }
      return !state.isClosed
    }
    return isOpen ? Membership(self) : nil
  }

  fileprivate func leave() {
    let isLast = state.withLock { state in
      state.count -= 1
      if state.count == 0 { state.isClosed = true }
      return state.count == 0
    }
    // After completed work this does nothing.
    if isLast { work.cancel() }
  }
}

/// One joiner's place, which is given up when this is released.
private final class Membership: Sendable {
  private let joiners: Joiners

  init(_ joiners: Joiners) { self.joiners = joiners }

  deinit {
    // Nested, if the work that is cancelled with its last joiner holds a joiner of other work, and so on.
    Trampoline.run { [joiners] in joiners.leave() }
  }
}
