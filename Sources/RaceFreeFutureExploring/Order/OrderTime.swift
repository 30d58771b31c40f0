// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The time of an order; used by the thread that runs.
struct OrderTime {
  /// The time that its threads read; nil if they read the real one.
  let virtual: VirtualTime?
  /// The instant at which it begins.
  let epoch: ContinuousClock.Instant
  /// The number of steps in a row in which a task did nothing but yield.
  private(set) var polls = 0
  /// True if a task has yielded in this step, and whether it read the time.
  private var yields: (hasYielded: Bool, hasRead: Bool) = (false, false)
  /// The time at which the running step began, or one that interrupted it.
  private var stepBegan = ContinuousClock.now
  /// The durations of sleeps in all orders.
  private let sleepTimes: SleepTimes
  /// The number of sleeps of each line.
  private var sleepCounts: [Int: Int] = [:]

  /// The number of steps in a row after which tasks that only yield wait for time to pass.
  static let mostPolls = 64

  init(_ start: VirtualTime.Start?, _ sleepTimes: SleepTimes) {
    virtual = start.map(VirtualTime.init)
    epoch = virtual?.epoch ?? .now
    self.sleepTimes = sleepTimes
  }

  /// Begins a step: if tasks only read the time and yield, they wait for it.
  mutating func beginStep(ofClock: @autoclosure () -> Bool) {
    polls = yields.hasYielded && !ofClock() ? polls + 1 : 0
    virtual?.beginStep(afterPolls: yields.hasRead ? max(0, polls - Self.mostPolls) : 0)
    yields = (false, false)
  }

  /// Notes that a task yields.
  mutating func yieldsTask() { yields = (true, yields.hasRead || virtual?.wasRead == true) }

  /// Notes that a job begins to run.
  mutating func beginJob() {
    // The time of an order would note that it was read.
    if virtual == nil { stepBegan = .now }
  }

  /// Returns the intended duration of a sleep, from the time that is left; without a line: of an unknown task.
  mutating func sleepTime(of line: Int?, left: Duration) -> Duration {
    if virtual != nil { return left }
    guard let line else { return left.roundedUp }
    let number = sleepCounts[line, default: 0]
    sleepCounts[line] = number + 1
    let sleep = SleepTimes.Sleep(line: line, number: number)
    return sleepTimes.time(of: sleep, left: left, elapsed: ContinuousClock.now - stepBegan)
  }
}
