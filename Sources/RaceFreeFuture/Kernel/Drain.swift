// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An examination of a future with all nested scopes, which ends when all of them were quiet at one moment.
///
/// It looks at one after the other. At one that isn't quiet it stops, and continues there later: work that ends
/// elsewhere meanwhile has no effect on it. So it visits each scope twice, and again only after something has begun.
///
/// Several futures can't be examined at one moment. But if each was quiet at two moments, and nothing was decided or
/// begun in between, then all were quiet in between (O2).
struct Examination {
  private struct Look {
    /// An address that was used again is that of a scope that has begun in one which is compared as well.
    let scope: ObjectIdentifier
    let isPending: Bool
    /// The numbers of what had begun before the check and after it.
    let begunBefore, begunAfter: UInt64

    /// True if nothing was decided or begun from the check of an earlier visit to that of this one.
    func hasStood(since last: Look) -> Bool {
      scope == last.scope && isPending == last.isPending && begunAfter == last.begunBefore
    }
  }

  enum Step {
    /// There is more to visit.
    case visited
    /// This one isn't quiet.
    case wait(Future)
    case over
  }

  private let root: Future
  /// The scopes to visit in this round, the next one last; not kept, because one that is released is over.
  private var ahead: [OpenWork.WeakFuture]
  private var looks: [Look] = []
  /// Those of the round before.
  private var lastLooks: [Look]?

  init(of root: Future) {
    self.root = root
    ahead = [OpenWork.WeakFuture(future: root)]
  }

  /// Continues; returns the future to wait for, or nil when everything is over.
  mutating func next() -> Future? {
    while true {
      switch step() {
      case .visited: continue
      case .wait(let future): return future
      case .over: return nil
      }
    }
  }

  /// Visits one scope, or ends a round.
  mutating func step() -> Step {
    guard let scope = ahead.popLast() else { return endRound() }
    guard let future = scope.future else { return .visited }
    let open = future.openWork
    let before = open?.begun ?? 0
    let (isQuiet, isPending) = future.process { machine in
      (machine.isQuiet(needsOutcome: open?.isScope != true), machine.phase == .pending)
    }
    guard isQuiet else {
      ahead.append(scope)
      lastLooks = nil
      return .wait(future)
    }
    let after = open?.begun ?? 0
    looks.append(Look(scope: ObjectIdentifier(future), isPending: isPending, begunBefore: before, begunAfter: after))
    // After the number was read: one that isn't among them was created later.
    ahead += open?.inside ?? []
    return .visited
  }

  private mutating func endRound() -> Step {
    if let lastLooks, looks.elementsEqual(lastLooks, by: { $0.hasStood(since: $1) }) { return .over }
    (lastLooks, looks, ahead) = (looks, [], [OpenWork.WeakFuture(future: root)])
    return .visited
  }
}

/// A wait for the end of everything that belongs to a future (L12).
///
/// It waits at one scope after the other, in the table of its `OpenWork`.
///
/// `@unchecked Sendable`: `examination` belongs to the thread that has removed the drain from a table, or hasn't added
/// it to one yet; the table's lock orders the two.
final class Drain: @unchecked Sendable {
  /// Completed when everything is over.
  let end: Future
  private var examination: Examination

  private struct Place {
    /// The table in which it waits, or is about to.
    weak var table: OpenWork?
    var isAbandoned = false
  }

  /// Guards the table in which a drain waits, weakly; that is told outside.
  private let place = Locked(Place())

  init(_ examination: Examination, label: String) {
    self.examination = examination
    end = Future(label: label)
  }

  /// Continues, at a future that isn't quiet, or where it has waited; true if everything is over.
  ///
  /// If not, it waits, or was abandoned, or another thread continues it.
  func proceed(at busy: Future? = nil) -> Bool {
    var next = busy ?? examination.next()
    while let future = next {
      let table = future.neededOpenWork()
      place.withLock { $0.table = table }
      table.insert(self)
      // After that: it may be over, or abandoned, by now (O3).
      let isAbandoned = place.withLock { $0.isAbandoned }
      guard isAbandoned || future.isQuiet, table.remove(self), !isAbandoned else { return false }
      next = examination.next()
    }
    return true
  }

  /// Ends the wait, and leaves nothing behind.
  func abandon() {
    let table = place.withLock { place in
      place.isAbandoned = true
      return place.table
    }
    table?.remove(self)
  }
}

extension Engine {
  /// Lets the drains that wait at a future continue, if it is quiet; the ends of those that are over are decided later.
  @inline(__always)
  mutating func settle(_ future: Future) {
    if OpenWork.mayHaveDrains { for end in future.finishedDrains() { decide(end, .completed) } }
  }
}

extension Future {
  /// Registers a wait until everything is over; nil if it already is.
  func beginDrain() -> Drain? {
    var examination = Examination(of: self)
    guard let busy = examination.next() else { return nil }
    let drain = Drain(examination, label: "the end of \(name)")
    return drain.proceed(at: busy) ? nil : drain
  }

  /// True if everything that belongs to it is over (L12).
  var isDrained: Bool {
    var examination = Examination(of: self)
    return examination.next() == nil
  }

  /// True if nothing of it runs or is on its way, whatever nested scopes do; and if it is no scope, it is resolved.
  fileprivate var isQuiet: Bool {
    let needsOutcome = openWork?.isScope != true
    return process { $0.isQuiet(needsOutcome: needsOutcome) }
  }

  /// Lets the drains that wait at this future continue, if it is quiet.
  @inline(__always)
  func settle() {
    guard OpenWork.mayHaveDrains else { return }
    var engine = Engine()
    engine.settle(self)
    engine.run()
  }

  /// Lets the drains that wait at this future continue, if it is quiet; returns the ends of those that are over.
  @inline(never)
  fileprivate func finishedDrains() -> [Future] {
    // The future is checked with no lock held; a drain that is added meanwhile checks it later (O3).
    guard let openWork, openWork.hasDrains, isQuiet else { return [] }
    return openWork.takeDrains().filter { $0.proceed() }.map(\.end)
  }
}
