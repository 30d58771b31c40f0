// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// Runs orders on a thread of its own until one fails or there are no more, and watches that thread.
final class Explorer: Sendable {
  let name: String
  let search: Search
  let seed: UInt64
  private let maxSteps: Int
  let subject: OrderRun.Subject

  /// The maximum time of a step.
  private let patience: Duration
  /// The number of further orders that are run to find a shorter one that fails.
  static let shorteningOrders = 500

  /// Relaxed, as the next one: nothing is read behind them.
  private let stepsTaken = Atomic(0)
  /// True while the scenario's code may be running.
  private let isInOrder = Atomic(false)
  /// The extent of the search so far, for a report by another thread.
  private let counted = Locked(Coverage())
  /// True if threads of the scenario share data of which the explorer doesn't see all uses.
  ///
  /// Relaxed: the thread that reads it has written it.
  let sharesMore = Atomic(false)
  /// The time at which every order begins; nil if it is real.
  private let start: VirtualTime.Start?
  /// The threads on which threads of scenarios run.
  private let threads = ThreadPool()
  private let carriers = CarrierPool()
  private let note = OrderNote()
  /// True if a step has taken too long: its thread must not begin another one.
  ///
  /// Relaxed: nothing is read behind it.
  private let isGivenUp = Atomic(false)
  private let current = Locked<OrderRun?>(nil)
  private let waiter = Locked<CheckedContinuation<Exploration, Never>?>(nil)

  init(
    _ name: String,
    _ search: Search,
    seed: UInt64,
    maxSteps: Int,
    time: ScenarioTime = .chosen,
    patience: Duration = .seconds(10).patiently,
    _ subject: OrderRun.Subject
  ) {
    self.name = name
    self.search = search
    self.seed = seed
    self.maxSteps = maxSteps
    self.patience = patience
    self.subject = subject
    start = time == .virtual ? VirtualTime.Start() : nil
  }

  /// Explores.
  func run() async -> Exploration {
    let watch = DispatchSource.makeTimerSource()
    let interval = patience / OrderWatch.mostChecks
    watch.schedule(deadline: .after(interval), repeating: interval / .seconds(1))
    let state = Locked(OrderWatch())
    watch.setEventHandler { [self] in
      let (steps, isInOrder) = (stepsTaken.load(ordering: .relaxed), isInOrder.load(ordering: .relaxed))
      if state.withLock({ $0.isStuck(after: steps, isInOrder: isInOrder) }) {
        let report = stuckReport
        isGivenUp.store(true, ordering: .relaxed)
        end(with: report)
      }
    }
    let report = await Turns.ofRuntime.take {
      RuntimeControl.install()
      let crash = CrashNote(
        "explore \"\(name)\"",
        again: "the order, as the second argument",
        file: KeptFailure(name, "explore")?.path,
        order: note
      )
      CrashHandler.add(crash)
      defer {
        CrashHandler.remove(crash)
        RuntimeControl.uninstall()
      }
      return await withCheckedContinuation { continuation in
        waiter.withLock { $0 = continuation }
        watch.activate()
        OwnThread.start { [self] in end(with: explored()) }
      }
    }
    watch.cancel()
    threads.close()
    carriers.close()
    return report
  }

  /// Delivers the report, if it is the first.
  private func end(with report: Exploration) {
    waiter.withLock { waiter in
      defer { waiter = nil }
      return waiter
    }?.resume(returning: report)
  }

  private var stuckReport: Exploration {
    let step = current.withLock { $0 }?.currentStep ?? "the scenario's own code"
    let coverage = coverageWithThis
    let found = "order \(grouped(coverage.orders)), in which the explorer gave up waiting"
    return report(.stuck(step, for: patience), in: nil, coverage, found)
  }

  /// The extent of the search, the running order included.
  private var coverageWithThis: Coverage {
    var coverage = counted.withLock { $0 }
    coverage.orders += 1
    return coverage
  }

  /// Counts an order that was run.
  func count(_ ended: Ended, in coverage: inout Coverage) {
    coverage.count(ended)
    let now = coverage
    counted.withLock { $0 = now }
  }

  // MARK: One order

  struct Ended {
    let trail: OrderSearch.Trail
    let failure: OrderFailure?
    let departure: String?
    /// True if a line wasn't a choice because it had yielded too often.
    var isFair = false
    let run: OrderRun
  }

  /// The durations of sleeps in all orders.
  private let sleepTimes = SleepTimes()

  /// Returns the next choice: a line, or the failure that prevents it.
  typealias Chooser = (_ trail: OrderSearch.Trail, _ choices: [Int], _ run: OrderRun) -> Result<Int, ChoiceError>

  struct ChoiceError: Error {
    let failure: OrderFailure
  }

  /// Runs the scenario in one order.
  func runOrder(isRecorded: Bool = false, _ choose: Chooser) -> Ended {
    let run = OrderRun(
      isRecorded: isRecorded,
      sleepTimes,
      threads,
      carriers: carriers,
      start: start,
      reducesThreads: !sharesMore.load(ordering: .relaxed)
    )
    if isGivenUp.load(ordering: .relaxed) {
      return Ended(trail: OrderSearch.Trail(), failure: .stuck("a step", for: patience), departure: nil, run: run)
    }
    current.withLock { $0 = run }
    stepsTaken.add(1, ordering: .relaxed)
    isInOrder.store(true, ordering: .relaxed)
    defer { isInOrder.store(false, ordering: .relaxed) }
    RuntimeControl.begin(run)
    ExploredPlace.begin(run, nil)
    note.begin()
    defer {
      ExploredPlace.end()
      RuntimeControl.end()
    }
    withoutActuallyEscaping(choose) { choose in
      // Also called in the middle of an actor's turn, which continues when it returns.
      run.drive = { [unowned self, unowned run] isDone in
        while run.failure == nil, !isDone() {
          // A thread of the scenario may have chosen already.
          if let line = run.next.take() ?? decide(run, choose) { run.step(line) }
        }
      }
      run.decide = { [unowned self, unowned run] in decide(run, choose) }
      run.giveUp = { [unowned self, unowned run] failure in giveUp(run, failure) }
      Scheduling.scheduleThread(by: run) {
        run.begin(subject)
        if case .body = subject { run.runOnCarriers() } else { run.drive { run.hasEnded } }
      }
      run.drive = { _ in }
      run.decide = { nil }
    }
    let departure = run.departure
    run.abandon()
    return Ended(
      trail: run.trail,
      failure: run.failure,
      departure: departure,
      isFair: run.fairness.hasInterfered,
      run: run
    )
  }

  /// Chooses the next step; nil if there is none now, or the order has ended.
  private func decide(_ run: OrderRun, _ choose: Chooser) -> Int? {
    if isGivenUp.load(ordering: .relaxed) {
      // Another thread has the turn by now.
      run.end(with: .stuck("a step", for: patience))
      return nil
    }
    stepsTaken.add(1, ordering: .relaxed)
    let choices = run.choices()
    if choices.isEmpty {
      if !run.waitsForOthers() { run.end() }
    } else if run.trail.chosen.count >= maxSteps, case let most = mostSteps(of: run), run.trail.chosen.count >= most {
      run.end(with: .tooManySteps(most, last: run.trail.on.last.map { run.titles[$0] } ?? ""))
    } else {
      switch choose(run.trail, choices, run) {
      case .failure(let error):
        run.end(with: error.failure)
      case .success(let line):
        note.step(line)
        run.trail.append(line, for: run.actor(of: line), of: choices, run.footprints(of: choices))
        return line
      }
    }
    return nil
  }

  /// The number of steps after which an order has no end: as many again for every ten tasks and threads.
  ///
  /// Bounded, because an order may also make tasks without end.
  private func mostSteps(of run: OrderRun) -> Int {
    let count = run.jobs.addresses.count + run.threads.all.count
    let (product, overflow) = maxSteps.multipliedReportingOverflow(by: max(1, min(count / 10, 100)))
    return overflow ? .max : product
  }

  /// Ends the exploration: the running step will never return.
  private func giveUp(_ run: OrderRun, _ failure: OrderFailure) {
    isGivenUp.store(true, ordering: .relaxed)
    let coverage = coverageWithThis
    end(with: report(failure, in: nil, coverage, "order \(grouped(coverage.orders)), in \(run.currentStep)"))
  }

  /// Runs the beginning of an order, then continues with as few switches as possible.
  ///
  /// It ends early if all remaining steps lead to results that another order shows as well.
  func runOrder(_ start: OrderSearch.Start) -> Ended {
    var sleep = start.sleep
    // Threads of the scenario can't be stopped in the middle, so they continue to their end.
    var redundantFrom: Int?
    let ended = runOrder { trail, choices, run in
      let step = trail.chosen.count
      if !start.knows(choices, at: step) {
        return .failure(ChoiceError(failure: .notRepeatable(step: step + 1, now: choices.map { run.titles[$0] })))
      }
      if let told = start.line(at: step) { return .success(told) }
      let awake = sleep.isEmpty || redundantFrom != nil ? choices : choices.filter { sleep[$0] == nil }
      guard let line = OrderSearch.goOn(trail.on.last, awake) else {
        if run.threads.all.isEmpty { return .failure(ChoiceError(failure: .redundant)) }
        redundantFrom = step
        return .success(OrderSearch.goOn(trail.on.last, choices) ?? 0)
      }
      if !sleep.isEmpty { sleep = OrderSearch.still(asleep: sleep, after: run.footprints(of: [line])[line]) }
      return .success(line)
    }
    guard let redundantFrom, ended.failure == nil else { return ended }
    let trail = ended.trail.prefix(redundantFrom)
    return Ended(trail: trail, failure: .redundant, departure: ended.departure, isFair: ended.isFair, run: ended.run)
  }

  /// Runs exactly this order; steps that it leaves open are chosen as usual.
  func replay(_ lines: [Int], isRecorded: Bool = true) -> Ended {
    let ended = runOrder(isRecorded: isRecorded) { trail, choices, run in
      let step = trail.chosen.count
      guard step < lines.count else { return .success(OrderSearch.goOn(trail.on.last, choices) ?? 0) }
      if choices.contains(lines[step]) { return .success(lines[step]) }
      let titles = run.titles
      let wanted = lines[step] < titles.count ? "\"\(titles[lines[step]])\"" : "number \(lines[step])"
      let now = choices.map { titles[$0] }
      return .failure(ChoiceError(failure: .impossible(step: step + 1, wanted: wanted, now: now)))
    }
    let count = ended.trail.chosen.count
    guard ended.failure == nil, count < lines.count else { return ended }
    let failure = OrderFailure.impossible(step: count + 1, wanted: "one more", now: [])
    return Ended(trail: ended.trail, failure: failure, departure: ended.departure, run: ended.run)
  }
}
