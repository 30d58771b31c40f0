// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The names of the work that keeps a future open, even after its decision.
///
/// A future creates one when it is first needed; a scope has one from its beginning. The amount of work is counted by
/// the future's machine (M10, O1): that alone decides whether a future is quiet. An activity is in the table after the
/// machine has begun to count it, and leaves the table before it is discounted: so a name may be missing for a moment.
///
/// A scope refers to its nested scopes without keeping them, and they keep it. Each removes itself at its end.
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
    /// The number of entries that ever began, for unique numbers.
    var begun: UInt64 = 0
    /// The nested scopes that are alive.
    var inside: [ObjectIdentifier: WeakFuture] = [:]
  }

  struct WeakFuture: Sendable {
    weak let future: Future?
  }

  /// Guards names and nested scopes; what is removed is released outside.
  private let state = Locked(State())
  /// The stop of the scope, if that is still possible.
  weak let stop: Stop?
  private let outside: Around?
  /// The future of the scope around.
  var around: Future? { outside?.future }

  init() {
    stop = nil
    outside = nil
  }

  /// Creates the open work of a scope, which may be inside another one.
  init(ofScopeIn outside: Future?, stop: Stop) {
    self.stop = stop
    self.outside = outside.map(Around.init)
  }

  deinit {
    // Its future is released. That may have been the last to keep the enclosing scope, and so on (law L10).
    guard let outside else { return }
    outside.future?.openWork?.forget(self)
    Trampoline.run { outside.release() }
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

  /// The entries, in the order in which they began.
  var entries: [Entry] {
    let entries = state.withLock { $0.entries }
    return entries.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Scopes inside

  func remember(_ inner: OpenWork, of future: Future) {
    state.withLock { $0.inside[ObjectIdentifier(inner)] = WeakFuture(future: future) }
  }

  private func forget(_ inner: OpenWork) {
    state.release { $0.inside.take(ObjectIdentifier(inner)) }
  }

  var inside: [WeakFuture] { state.withLock { Array($0.inside.values) } }

  /// The number of entries and nested scopes for which there is room.
  var capacity: Int { state.withLock { $0.entries.capacity + $0.inside.capacity } }
}

// MARK: - Opening

extension Future {
  /// Keeps the future open until `letGo`: for the library's own work, which has no name but the future's.
  ///
  /// If nothing was open in a nested scope, those around it are opened first, the outermost at first (O1).
  func keepOpen() {
    var closed: [Future] = []
    var (future, nested) = (self, false)
    while !future.process({ $0.open(nested: nested) }), let around = future.openWork?.around {
      closed.append(future)
      (future, nested) = (around, true)
    }
    while let scope = closed.popLast() {
      let isFirst = scope.process { $0.openInside(nested: scope !== self) }
      // Another thread was faster, and has opened what is around as well (O2).
      if !isFirst { scope.openWork?.around?.letGo(nested: true) }
    }
  }

  /// Ends what `keepOpen` began, or counts the return of work that was dispatched.
  func letGo(nested: Bool = false) {
    if let ending = process({ $0.ended(nested: nested) }) { conclude(ending) }
  }

  /// Wakes what waited for an end, and closes the scopes around, from the inside, as far as nothing else is open in
  /// them (O1).
  @inline(never)
  func conclude(_ ending: consuming FutureMachine.Ending) {
    var scope = self
    var next: FutureMachine.Ending? = ending
    while var ending = next.take() {
      let closesAround = ending.closesAround
      if !ending.waiters.isEmpty {
        let resolution = scope.resolution ?? .completed
        // One may be the end of a member, and wake those that wait for the scope, and so on (law L10).
        while let waiter = ending.waiters.popFirst() {
          Trampoline.run {
            waiter.node?.handler.take()?.run(resolution)
            waiter.release()
          }
        }
      }
      guard closesAround, let around = scope.openWork?.around else { return }
      scope = around
      next = around.process { $0.ended(nested: true) }
    }
  }

  /// Adds a wait for an end, or runs it if that is there.
  func awaitEnd(_ waiter: HandlerNode) {
    if !process({ $0.awaitEnd(waiter) }) { waiter.handler.take()?.run(resolution ?? .completed) }
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
