// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A piece of work that several clients wait for, each with its own future.
///
/// Each call of ``join(label:)`` creates a future that gets the outcome of the work. Cancelling it removes one joiner
/// and doesn't affect the others; when the last joiner is cancelled or released, the work is cancelled.
///
/// ```swift
/// let image = SharedFuture<Image>(.lazy(label: "image") { token in try load(token) })
/// let first = image.join()  // starts the work
/// let second = image.join()  // joins it
/// first?.cancel()  // the work continues
/// second?.cancel()  // now it is cancelled
/// ```
///
/// For a cache with one of these for each name see <doc:SharingWork>.
public final class SharedFuture<Value: Sendable>: Sendable {
  private let work: ValueFuture<Value>
  private let joiners: Joiners

  /// Creates work that can be joined.
  ///
  /// The work isn't touched before the first call of ``join(label:)``, which starts a lazy future.
  ///
  /// - Parameter work: The work. Cancelling it cancels all joiners, so don't share it.
  public init(_ work: ValueFuture<Value>) {
    self.work = work
    joiners = Joiners(work.future)
  }

  /// Creates a future that gets the outcome of the work.
  ///
  /// Inline handlers of the new future run where the work's inline handlers do. Can be called from any thread, and
  /// never blocks.
  ///
  /// A joiner leaves when its future is resolved or its last reference is released; the last joiner to leave cancels
  /// the work. Joiners keep the work alive, not vice versa. A joiner with a handler, with a derived future, or in a
  /// scope needs no reference, and leaves only at its outcome: to leave early, cancel it.
  ///
  /// A value that has an `onUndelivered` counts as received when one joiner receives it, and is given back once if the
  /// work and all joiners are released before that.
  ///
  /// - Parameter label: A name for descriptions and errors; without one the new future has the name of the work.
  /// - Returns: The new future; nil if the work has been cancelled, or is about to be because its last joiner has left:
  ///   start new work then.
  public func join(label: String? = nil) -> ValueFuture<Value>? {
    let hasEntered = joiners.enter()
    guard hasEntered || work.isCompleted else { return nil }
    let joiner = Future(label: label ?? work.future.label, site: work.future.site)
    if hasEntered {
      let membership = Membership(joiner, of: joiners)
      let node = HandlerNode(nil, .inline, role: .library, .watching { membership.hold() })
      joiner.process { $0.addWatcher(node) }
    }
    work.future.connect(Link(.follow, from: work.future, to: joiner, keeping: .source), to: joiner)
    work.demand()
    guard !joiner.isCancelled else { return nil }
    return ValueFuture(joiner)
  }
}

/// The number of joiners, and a flag that tells whether more may join.
private final class Joiners: Sendable {
  private struct State {
    var count = 0
    /// The last one has left, and the work is being cancelled.
    var isClosed = false
  }

  /// Guards the number of waiting joiners; the last one cancels outside.
  private let state = Locked(State())
  private let work: Future

  init(_ work: Future) { self.work = work }

  /// Admits a joiner; false if it is too late.
  func enter() -> Bool {
    state.withLock { state in
      if !state.isClosed { state.count += 1 }
      return !state.isClosed
    }
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

/// The membership of a joiner, which leaves when the membership is released: with the joiner's future, or at its
/// outcome.
///
/// As soon as the joiner has a handler, another future is derived from it, or a scope waits for it, no other code needs
/// a reference to it: this membership, which is in its list, holds it until its outcome.
///
/// `@unchecked Sendable`: `held` is written under the lock of the joiner, while this is in its list (E1), and then
/// released with it. `joiner` isn't retained: it is read in `hold` alone, when a caller has the joiner.
private final class Membership: @unchecked Sendable {
  private unowned(unsafe) let joiner: Future
  private var held: Future?
  private let joiners: Joiners

  init(_ joiner: Future, of joiners: Joiners) {
    unsafe self.joiner = joiner
    self.joiners = joiners
  }

  deinit {
    // Nested, if the work that is cancelled with its last joiner holds a joiner of other work, and so on.
    Trampoline.run { [joiners] in joiners.leave() }
  }

  func hold() { unsafe held = joiner }
}
