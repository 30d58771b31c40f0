// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What keeps a future open although it may be decided, by name, and who waits for the end of all that.
///
/// A future makes one when it is first needed; a scope has one from its beginning. How much there is, is counted by the
/// future's machine (M10): that alone says whether a future is quiet. What stands here are names, for whoever asks what
/// is left, and those who are to be woken.
///
/// - **S1** An activity is in the table before the machine counts it, and leaves the table before it is discounted. So
///   a name may be missing for a moment; a future never is quiet while something is open.
/// - **S2** A scope counts what is open in it, and not what is open in scopes inside. Whoever asks whether it is drained
///   looks at all of them, twice, with one locked at a time (`Future.isDrained`).
/// - **S3** Who waits is entered here before it looks whether the future is quiet; and whatever makes a future quiet
///   looks here afterwards (`Future.settle`). So one of the two sees the other. (L12)
/// - **S4** A scope refers to the ones inside without keeping them, and they keep it. Each takes itself out at its end.
final class OpenWork: Sendable {
  /// One thing that is open: an object, because the table moves its entries as it grows.
  final class Entry: Sendable {
    /// What it was called by whoever began it; nil: it is other work.
    let label: String?
    /// Where it was begun.
    let site: CreationSite
    let since = ContinuousClock.now
    /// The other work.
    ///
    /// Weak: one that is dropped undecided goes, and is open no more.
    weak let member: Future?

    init(label: String, site: CreationSite) {
      self.label = label
      self.site = site
      member = nil
    }

    init(_ member: Future) {
      label = nil
      site = member.site
      self.member = member
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    /// How much ever began: no two have the same number.
    var begun: UInt64 = 0
    /// Those who wait: completed when all is over.
    var drains: [UInt64: Future] = [:]
    var lastDrain: UInt64 = 0
    /// The scopes inside that are alive (S4).
    var inside: [ObjectIdentifier: WeakFuture] = [:]
  }

  private struct WeakFuture {
    weak var future: Future?
  }

  /// Guards the state, and nothing else.
  private let state = Locked(State())
  /// How many wait, in the whole program: as long as nobody does, nobody looks for them.
  ///
  /// Relaxed: who waits counts itself before it asks whether all is over. What it finds open is so under a lock, which
  /// whoever ends that takes later, and then reads this (S3).
  private static let waiting = Atomic(0)
  /// Whether it is that of a scope, which is drained also while it is undecided.
  let isScope: Bool
  private let around: Around?

  init(isScope: Bool = false, outside: Future? = nil) {
    self.isScope = isScope
    around = outside.map(Around.init)
  }

  deinit {
    // Its future is gone. That may have been the last to keep the scope around it, and so on (law L10).
    guard let around else { return }
    around.future?.openWork?.forget(self)
    Trampoline.run { around.release() }
  }

  /// The scope around it.
  var outside: Future? { around?.future }

  /// A reference that is given up before its owner has gone.
  ///
  /// `@unchecked Sendable`: it changes in the `deinit` of its only owner.
  private final class Around: @unchecked Sendable {
    private(set) var future: Future?
    init(_ future: Future) { self.future = future }
    func release() { future = nil }
  }

  // MARK: What is open

  func insert(_ entry: Entry) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      state.entries[state.begun] = entry
      return state.begun
    }
  }

  func remove(_ number: UInt64) {
    // Released outside of the lock.
    _ = state.withLock { $0.entries.removeValue(forKey: number) }
  }

  var count: Int { state.withLock { $0.entries.count } }
  var begun: UInt64 { state.withLock { $0.begun } }

  /// In the order in which it began.
  var entries: [Entry] {
    let entries = state.withLock { $0.entries }
    return entries.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Scopes inside

  func remember(_ inner: OpenWork, of future: Future) {
    state.withLock { $0.inside[ObjectIdentifier(inner)] = WeakFuture(future: future) }
  }

  private func forget(_ inner: OpenWork) {
    _ = state.withLock { $0.inside.removeValue(forKey: ObjectIdentifier(inner)) }
  }

  var inside: [Future] {
    // Kept by what is returned, so that none is released under the lock.
    state.withLock { $0.inside.values.compactMap(\.future) }
  }

  // MARK: Who waits

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

  /// Whether somebody waits, here or elsewhere.
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
  /// Keeps the future open, until `letGo`: for the library's own work, which has no other name than the future.
  func keepOpen() { process { $0.countHandedOver() } }

  func letGo() {
    // Only a resolved future has somebody to wake.
    if case .finish(let waiters) = process({ $0.returned() }), let resolution {
      wake(waiters, resolution, hop: holdsTurn)
    }
    settle(hop: holdsTurn)
  }

  /// How much is open in it and in the scopes inside.
  var openCount: Int {
    var count = 0
    forEachInside { _, open in
      count += open.count
      return true
    }
    return count
  }

  /// Shows a scope and all inside of it, as long as that is wanted, with no lock held.
  private func forEachInside(_ body: (Future, OpenWork) -> Bool) {
    var waiting = [self]
    while let scope = waiting.popLast() {
      guard let open = scope.openWork, body(scope, open) else { return }
      waiting += open.inside
    }
  }

  /// Whether everything that belongs to it is over (L12).
  var isDrained: Bool {
    let open = openWork
    guard process({ $0.isQuiet(needsOutcome: open?.isScope != true) }) else { return false }
    guard let open, open.isScope else { return true }
    // Several futures can't be looked at in one moment. But if each was quiet at two of them, and nothing was decided or
    // begun in between, then all were in between.
    var last: [QuietScope] = []
    while let scopes = quietScopes {
      if scopes.count == 1 || scopes == last { return true }
      last = scopes
    }
    return false
  }

  private struct QuietScope: Equatable {
    let scope: ObjectIdentifier
    let isPending: Bool
    let begun: UInt64
  }

  /// This scope and all inside; nil if one isn't quiet.
  private var quietScopes: [QuietScope]? {
    var scopes: [QuietScope] = []
    var areQuiet = true
    forEachInside { scope, open in
      let isPending = scope.process { machine in
        areQuiet = machine.isQuiet(needsOutcome: false)
        return machine.phase == .pending
      }
      scopes.append(QuietScope(scope: ObjectIdentifier(scope), isPending: isPending, begun: open.begun))
      return areQuiet
    }
    return areQuiet ? scopes : nil
  }

  /// Wakes those who wait until everything is over, here and in the scopes around, if it is.
  ///
  /// `hop` says that this thread has a private queue: see `Hop`.
  @inline(__always)
  func settle(hop: @autoclosure () -> Bool = false) {
    if OpenWork.mayHaveDrains, let openWork { settle(openWork, hop: hop()) }
  }

  @inline(never)
  private func settle(_ openWork: OpenWork, hop: Bool) {
    var (future, open) = (self, openWork)
    while true {
      // The future is asked with no lock held; who enters meanwhile asks it later than this (S3).
      if open.hasDrains, future.isDrained {
        var decisions = DecisionQueue(isOnPrivateQueue: hop)
        for drained in open.takeDrains() { decisions.append(DeferredDecision(target: drained, resolution: .completed)) }
        decisions.run()
      }
      guard let outside = open.outside, let next = outside.openWork else { return }
      (future, open) = (outside, next)
    }
  }
}
