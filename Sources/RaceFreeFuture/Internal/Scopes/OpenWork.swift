// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The named work that keeps a future open, even after its decision, and the waits for the end of all of it.
///
/// A future creates one when it is first needed; a scope has one from its beginning. The amount of work is counted by
/// the future's machine (M10): that alone decides whether a future is quiet. This object has the names, for reports of
/// what is left, and the waiters to wake.
///
/// - **O1** An activity is in the table after the machine has begun to count it, and leaves the table before it is
///   discounted. So a name may be missing for a moment; a future never is quiet while something is open.
/// - **O2** A scope counts what is open in it, and not what is open in nested scopes. The check whether it is drained
///   examines all of them, twice, with one locked at a time (`Future.isDrained`).
/// - **O3** A waiter is added here before it checks whether the future is quiet; and code that makes a future quiet
///   checks here afterwards (`Future.settle`). So one of the two sees the other. (L12)
/// - **O4** A scope refers to its nested scopes without keeping them, and they keep it. Each removes itself at its end.
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
      Trampoline.run { [future] in future.complete() }
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    /// The number of entries and nested scopes that ever began, for unique numbers.
    var begun: UInt64 = 0
    /// The waiters: completed when all is over.
    var drains: [UInt64: Future] = [:]
    var lastDrain: UInt64 = 0
    /// The nested scopes that are alive (O4).
    var inside: [ObjectIdentifier: WeakFuture] = [:]
  }

  private struct WeakFuture {
    weak var future: Future?
  }

  /// Guards the state, and nothing else.
  private let state = Locked(State())
  /// The number of waiters in the whole program: while it is zero, no code looks for them.
  ///
  /// Relaxed: a waiter counts itself before it checks whether all is over. Work that it finds open is so under a lock,
  /// which the code that ends it takes later, and then reads this (O3).
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

  /// The enclosing scope.
  var outside: Future? { around?.future }

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
    state.release { $0.entries.removeValue(forKey: number) }
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
    state.release { $0.inside.removeValue(forKey: ObjectIdentifier(inner)) }
  }

  var inside: [Future] {
    // Kept by the result, so that none is released under the lock.
    state.withLock { $0.inside.values.compactMap(\.future) }
  }

  // MARK: Waiters

  func insertDrain(_ drained: Future) -> UInt64 {
    Self.waiting.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.lastDrain += 1
      state.drains[state.lastDrain] = drained
      return state.lastDrain
    }
  }

  func removeDrain(_ number: UInt64) {
    let drained = state.withLock { $0.drains.removeValue(forKey: number) }
    if drained != nil { Self.waiting.subtract(1, ordering: .relaxed) }
  }

  /// True if there may be a waiter, here or elsewhere.
  static var mayHaveDrains: Bool { waiting.load(ordering: .relaxed) > 0 }

  var hasDrains: Bool { state.withLock { !$0.drains.isEmpty } }

  func takeDrains() -> [Future] {
    let drains = state.withLock { Array(exchange(&$0.drains, with: [:]).values) }
    Self.waiting.subtract(drains.count, ordering: .relaxed)
    return drains
  }
}

// MARK: - Opening and draining

extension Future {
  /// Keeps the future open until `letGo`: for the library's own work, which has no name but the future's.
  func keepOpen() { process { $0.countDispatched() } }

  /// Ends what `keepOpen` began.
  func letGo() {
    // Only a resolved future has waiters to wake.
    if case .finish(let waiters) = process({ $0.returned() }), let resolution {
      wake(waiters, resolution)
    }
    settle()
  }

  /// The number of open pieces of work in it and in nested scopes.
  var openCount: Int {
    var count = 0
    forEachInside { _, open in
      count += open.count
      return true
    }
    return count
  }

  /// Calls a closure for a scope and all nested ones, until it returns false, with no lock held.
  private func forEachInside(_ body: (Future, OpenWork) -> Bool) {
    var waiting = [self]
    while let scope = waiting.popLast() {
      guard let open = scope.openWork, body(scope, open) else { return }
      waiting += open.inside
    }
  }

  /// True if everything that belongs to it is over (L12).
  var isDrained: Bool {
    let open = openWork
    guard process({ $0.isQuiet(needsOutcome: open?.isScope != true) }) else { return false }
    guard let open, open.isScope else { return true }
    // Several futures can't be examined at one moment. But if each was quiet at two moments, and nothing was decided or
    // begun in between, then all were quiet in between (O2).
    var last: [QuietScope]?
    while let scopes = quietScopes {
      if let last, scopes.elementsEqual(last, by: { $0.hasStood(since: $1) }) { return true }
      last = scopes
    }
    return false
  }

  private struct QuietScope {
    /// The scope; kept, so that no other one can have its address.
    let scope: Future
    let isPending: Bool
    /// The numbers of what had begun before the check and after it.
    let begunBefore, begunAfter: UInt64

    /// True if nothing was decided or begun from the check of an earlier visit to that of this one.
    func hasStood(since last: QuietScope) -> Bool {
      scope === last.scope && isPending == last.isPending && begunAfter == last.begunBefore
    }
  }

  /// This scope and all nested ones; nil if one isn't quiet.
  private var quietScopes: [QuietScope]? {
    var scopes: [QuietScope] = []
    var areQuiet = true
    forEachInside { scope, open in
      let before = open.begun
      let isPending = scope.process { machine in
        areQuiet = machine.isQuiet(needsOutcome: false)
        return machine.phase == .pending
      }
      scopes.append(QuietScope(scope: scope, isPending: isPending, begunBefore: before, begunAfter: open.begun))
      return areQuiet
    }
    return areQuiet ? scopes : nil
  }

  /// Wakes the waiters for the end of everything, here and in the enclosing scopes, if everything is over.
  @inline(__always)
  func settle() {
    if OpenWork.mayHaveDrains, let openWork { settle(openWork) }
  }

  @inline(never)
  private func settle(_ openWork: OpenWork) {
    var (future, open) = (self, openWork)
    while true {
      // The future is checked with no lock held; a waiter that is added meanwhile checks it later (O3).
      if open.hasDrains, future.isDrained {
        var decisions = DecisionQueue()
        for drained in open.takeDrains() { decisions.append(DeferredDecision(target: drained, resolution: .completed)) }
        decisions.run()
      }
      guard let outside = open.outside, let next = outside.openWork else { return }
      (future, open) = (outside, next)
    }
  }
}
