// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The named work that keeps a future open, even after its decision, and the waits for the end of all of it.
///
/// A future creates one when it is first needed; a scope has one from its beginning. The amount of work is counted by
/// the future's machine (M10): that alone decides whether a future is quiet. This object has the names, for reports of
/// what is left, and the waiters to wake.
///
/// - **O1** A future is never quiet while something is open. An activity is in the table after the machine has begun to
///   count it, and leaves the table before it is discounted: so a name may be missing for a moment.
/// - **O2** A scope is drained together with everything in it. It counts what is open in it, and not what is open in
///   nested scopes: the check examines all of them, twice, with one locked at a time (`Examination`).
/// - **O3** No drain that waits is missed. It waits at one scope that isn't quiet, and is added there before it checks
///   that once more; and code that makes a future quiet checks here afterwards (`Future.settle`). So one of the two sees
///   the other. (L12)
/// - **O4** A nested scope removes itself. A scope refers to those in it without keeping them, and they keep it.
final class OpenWork: Sendable {
  /// One open piece of work: an object, because the table moves its entries as it grows.
  final class Entry: Sendable {
    /// The label of an activity; nil for other work.
    let label: String?
    /// The place where it began.
    let site: CreationSite
    /// The instant at which it began, of the clock that the future's timers follow.
    let since: ContinuousClock.Instant
    /// The other work.
    ///
    /// Weak: work that is released undecided is no longer open.
    weak let member: Future?
    /// The stop of the scope, which is possible as long as this is open.
    private let stop: Stop?

    init(label: String, site: CreationSite, of future: Future) {
      self.label = label
      self.site = site
      since = future.presentInstant
      member = nil
      stop = future.openWork?.stop
    }

    init(_ member: Future, of scope: Future) {
      label = nil
      site = member.site
      since = scope.presentInstant
      self.member = member
      stop = scope.openWork?.stop
    }
  }

  /// The graceful stop of a scope.
  ///
  /// It belongs to the scope, to everything that is open in it, and to its nested scopes. With the last of them it is
  /// over: nothing is left to be stopped.
  final class Stop: Sendable {
    /// The future that is cancelled when the stop begins.
    let future: Future

    init(_ future: Future) { self.future = future }

    deinit {
      Trampoline.run { [future] in _ = future.decide(.completed) }
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    /// The number of entries and nested scopes that ever began, for unique numbers.
    var begun: UInt64 = 0
    /// The drains that wait here (O3).
    var drains: [ObjectIdentifier: Drain] = [:]
    /// The nested scopes that are alive (O4).
    var inside: [ObjectIdentifier: WeakFuture] = [:]
  }

  struct WeakFuture: Sendable {
    weak let future: Future?
  }

  /// Guards names, nested scopes and drains; what is removed is released, and a drain goes on, outside.
  private let state = Locked(State())
  /// The number of drains that wait in the whole program: while it is zero, no code looks for them.
  ///
  /// Relaxed: a drain counts itself before it checks whether it has to wait. Work that it finds open is so under a
  /// lock, which the code that ends it takes later, and then reads this (O3).
  private static let waiting = Atomic(0)
  /// True if it is that of a scope, which may be drained while undecided.
  let isScope: Bool
  /// The stop of the scope, if that is still possible.
  weak let stop: Stop?
  private let around: Around?

  init() {
    isScope = false
    stop = nil
    around = nil
  }

  /// Creates that of a scope, which may be inside another one.
  init(ofScopeIn outside: Future?, stop: Stop) {
    isScope = true
    self.stop = stop
    around = outside.map(Around.init)
  }

  deinit {
    // Its future is released. That may have been the last to keep the enclosing scope, and so on (law L10).
    guard let around else { return }
    around.future?.openWork?.forget(self)
    Trampoline.run { around.release() }
  }

  /// A reference that is released before its owner.
  ///
  /// `@unchecked Sendable`: it changes in the `deinit` of its only owner.
  private final class Around: @unchecked Sendable {
    private(set) var future: Future?
    private var stop: Stop?

    init(_ future: Future) {
      self.future = future
      stop = future.openWork?.stop
    }

    func release() { (stop, future) = (nil, nil) }
  }

  // MARK: Open work

  func insert(_ entry: Entry) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      state.entries[state.begun] = entry
      return state.begun
    }
  }

  func remove(_ number: UInt64) {
    // Released outside of the lock.
    state.release { $0.entries.take(number) }
  }

  var count: Int { state.withLock { $0.entries.count } }
  /// The number of activities, members and nested scopes that ever began.
  var begun: UInt64 { state.withLock { $0.begun } }

  /// The entries, in the order in which they began.
  var entries: [Entry] {
    let entries = state.withLock { $0.entries }
    return entries.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Scopes inside

  func remember(_ inner: OpenWork, of future: Future) {
    state.withLock { state in
      state.begun += 1
      state.inside[ObjectIdentifier(inner)] = WeakFuture(future: future)
    }
  }

  private func forget(_ inner: OpenWork) {
    state.release { $0.inside.take(ObjectIdentifier(inner)) }
  }

  var inside: [WeakFuture] { state.withLock { Array($0.inside.values) } }

  // MARK: Drains

  func insert(_ drain: Drain) {
    Self.waiting.add(1, ordering: .relaxed)
    state.withLock { $0.drains[ObjectIdentifier(drain)] = drain }
  }

  /// Removes a drain; false if it isn't here.
  @discardableResult
  func remove(_ drain: Drain) -> Bool {
    let removed = state.withLock { $0.drains.take(ObjectIdentifier(drain)) }
    guard removed != nil else { return false }
    Self.waiting.subtract(1, ordering: .relaxed)
    return true
  }

  /// True if a drain may be waiting, here or elsewhere.
  static var mayHaveDrains: Bool { waiting.load(ordering: .relaxed) > 0 }

  var hasDrains: Bool { state.withLock { !$0.drains.isEmpty } }

  func takeDrains() -> [Drain] {
    let drains = state.withLock { Array(exchange(&$0.drains, with: [:]).values) }
    Self.waiting.subtract(drains.count, ordering: .relaxed)
    return drains
  }

  /// The number of entries, nested scopes and drains for which there is room.
  var capacity: Int { state.withLock { $0.entries.capacity + $0.inside.capacity + $0.drains.capacity } }
}

// MARK: - Opening

extension Future {
  /// Keeps the future open until `letGo`: for the library's own work, which has no name but the future's.
  func keepOpen() { process { $0.countDispatched() } }

  /// Ends what `keepOpen` began, or counts the return of work that was dispatched.
  func letGo() {
    var waiters = process { $0.returned() }
    // Only a resolved future has waiters to wake.
    if !waiters.isEmpty, let resolution {
      // One may be the end of a member, and wake those that wait for the scope, and so on (law L10).
      while let waiter = waiters.next()?.handler { Trampoline.run { waiter.run(resolution) } }
    }
    settle()
  }

  /// The number of open pieces of work in it and in nested scopes.
  var openCount: Int {
    var count = 0
    var ahead = [self]
    while let open = ahead.popLast()?.openWork {
      count += open.count
      ahead += open.inside.compactMap(\.future)
    }
    return count
  }
}
