// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

/// Real locks that explored code used, by its steps: nobody acts between two uses in one step.
///
/// Atomics of `Synchronization` are instructions, and aren't seen. Of its mutexes each use is seen in a debug build on Linux, and
/// in a release build that there were some.
struct RealUses {
  enum Use: Hashable {
    /// A lock was taken, by its address.
    case lock(UInt)
    /// A mutex of some source file was taken.
    case inlined(Int)
    /// A mutex of some source file was taken, nobody knows how often.
    case unknown(Int)
  }

  private struct Step {
    /// The number of the step; -1: before the first.
    let number: Int
    /// The line that was chosen, and the task's.
    let (line, user): (Int, Int)
    let uses: [Use]
    let callers: [UInt]

    /// Returns how often some locks were taken.
    func times(_ locks: Set<Use>) -> Int {
      uses.count {
        if case .unknown = $0 { return false }
        return locks.contains($0)
      }
    }
  }

  private var running: [Use] = []
  private var callers: [UInt] = []
  /// True if the running step came past the end of another task: what it does next can't come before that.
  private var hasJoined = false
  private var steps: [Step] = []

  /// Sets what is needed to see inlined mutexes of the user's; before the first order.
  static func prepare() { _ = isPrepared }

  private static let isPrepared: Bool = {
    let numbers = SymbolTable.numbersOfInlinedMutexes.filter { TaskLayout.isOfUser(module: $0.module) }.map(\.number)
    // Copied there.
    unsafe rff_setNumbers(numbers, Int32(numbers.count))
    return true
  }()

  /// Forgets what the calling thread has used outside of steps.
  mutating func begin() {
    _ = Self.takeNumbers()
    (running, callers, hasJoined) = ([], [], false)
  }

  /// Notes that the running step has awaited a task that has ended.
  mutating func join() {
    if !hasJoined { running += Self.takeNumbers() }
    hasJoined = true
  }

  private static func takeNumbers() -> [Use] {
    var (uses, index) = ([Use](), rff_takeNumber(0))
    while index >= 0 {
      uses.append(.unknown(Int(index)))
      index = rff_takeNumber(index + 1)
    }
    return uses
  }

  mutating func use(_ use: Use, from callers: @autoclosure () -> [UInt]) {
    if hasJoined { return }
    if running.isEmpty { self.callers = callers() }
    running.append(use)
  }

  /// Notes what the running step has used, when it ends or others may act.
  mutating func end(_ number: Int, on line: () -> (line: Int, user: Int)?) {
    let kept = Self.takeNumbers()
    if !hasJoined { running += kept }
    if running.isEmpty { return }
    if let (line, user) = line() {
      steps.append(Step(number: number, line: line, user: user, uses: running, callers: callers))
    }
    (running, callers, hasJoined) = ([], [], false)
  }

  /// A pair of tasks or threads that could both be chosen, and used the same locks next; one could have acted between two uses
  /// of the other, and no order has it so.
  struct Pair {
    /// The one that came first, and the other, with the places.
    let first, second: (line: Int, place: String)
    /// True if the one, and the other, is known to have used the locks more than once.
    let areTwice: (Bool, Bool)
  }

  func untried(in trail: OrderTrail, threads: Set<Int>) -> [Pair] {
    var untried: [Pair] = []
    for (index, step) in steps.enumerated() {
      let choices = step.number < 0 ? threads : Set(trail.choices[step.number].map(trail.actor))
      var seen: Set<Int> = [step.line]
      for other in steps[(index + 1)...] where choices.contains(other.line) && seen.insert(other.line).inserted {
        let next = trail.on.indices.first { $0 > step.number && trail.on[$0] == other.line }
        guard other.number < 0 || other.number == next else { continue }
        let shared = Set(step.uses).intersection(other.uses)
        let areTwice = (step.times(shared) > 1, other.times(shared) > 1)
        let isUnknown = shared.contains { if case .unknown = $0 { true } else { false } }
        guard areTwice.0 || areTwice.1 || isUnknown else { continue }
        let users = [step, other].map { ($0.user, SymbolTable.place(of: $0.callers)) }
        untried.append(Pair(first: users[0], second: users[1], areTwice: areTwice))
      }
    }
    return untried
  }
}

extension OrderRun {
  /// Notes that the running code uses a lock.
  func usesReal(_ use: RealUses.Use) {
    if isOwnThread, !turns.isLooking { real.use(use, from: Self.callers) }
  }

  /// Notes that a mutex of some source file is about to be taken, or given back, which is at the end of its closure.
  func usesInlined(_ file: Int, at address: UInt) {
    if SymbolTable.name(at: address)?.hasPrefix("$defer") != true { usesReal(.inlined(file)) }
  }

  /// Notes what the running step has used of real locks.
  func endsUses() {
    real.end(trail.count - 1) { [self] in
      let task = (currentTask ?? jobs.begun.last).flatMap { jobs.tasks[$0]?.line }
      if taskScenario != nil { return trail.on.last.map { ($0, task ?? $0) } }
      // A step of an actor of the scenario is whole by its definition.
      return (task ?? ExploredPlace.current?.thread?.line).map { (trail.on.last ?? $0, $0) }
    }
  }

  /// Notes that the running code starts something that others run.
  func startsElsewhere(_ words: String) {
    guard isOwnThread, !turns.isLooking else { return }
    let line = currentTask.flatMap { jobs.tasks[$0]?.line } ?? running ?? ExploredPlace.current?.thread?.line
    others.note(.starts(line: line, words, callers: Self.callers))
  }

  /// Notes what the running code waits for outside of the order; nil: nothing any more.
  func waitsElsewhere(for words: String?) {
    guard isOwnThread else { return }
    let wait = words.map { ($0, Self.callers) }
    waiting.withLock { $0 = wait }
  }

  /// The return addresses of the running code.
  static var callers: [UInt] {
    var addresses = [UInt](repeating: 0, count: 48)
    // Fills at most as many as there are.
    let count = unsafe rff_callers(&addresses, Int32(addresses.count))
    return Array(addresses.prefix(Int(count)))
  }
}
