// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

/// Runs orders on a thread of its own until one fails or there are no more, and watches that thread.
final class Explorer: Sendable {
  let name: String
  let search: Search.Orders
  let seed: UInt64
  private let maxSteps: Int
  /// The time after which no further order begins.
  private let duration: Duration?
  /// The maximum number of forced switches of the orders of a search.
  let maxSwitches: Int?
  let subject: OrderRun.Subject
  /// True if the subject is the unchanged body of a test, of which nobody knows whether anything in it can vary.
  let isOfTest: Bool

  /// The maximum time of a step.
  private let patience: Duration
  /// The number of further orders that are run to find a shorter one that fails.
  static let shorteningOrders = 500
  /// The number of steps up to which a replayed order is drawn before each of them, because it might crash there.
  static let mostDrawnSteps = 300
  /// The number of orders that may be run for each that is drawn although all may be run.
  static let ordersForEachDrawn = 32
  /// The number of further orders that are run to find the step that decides.
  static let decidingOrders = 50

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
  /// True if steps of tasks are independent where nothing is seen that they share.
  ///
  /// Relaxed: used by the thread that explores.
  let seesTasks = Atomic(false)
  /// False if no order is left out because another one shows the same: for tests of that.
  ///
  /// Relaxed: written before the exploration begins.
  let reduces = Atomic(true)
  /// The ways in which orders are drawn at random, in turn.
  let ways: [Search.Way]
  /// The kind of things that steps of tasks are to use unnoticed: for tests that something is missed then.
  let ignored = Locked<String?>(nil)
  /// The least time from one checkpoint to the next.
  let interval: Duration
  /// The part of the orders that are run; nil: all of them.
  let part = SearchPart.own
  /// The threads on which threads of scenarios run.
  private let threads = ThreadPool()
  private let carriers = CarrierPool()
  private let note = OrderNote()
  /// True if a step has taken too long: its thread must not begin another one.
  ///
  /// Relaxed: nothing is read behind it.
  private let isGivenUp = Atomic(false)
  /// What is known of this runtime; nil: it is to be found out.
  private let finding: TaskLayout.Finding?
  /// The number of orders that was shown last, or would have been.
  ///
  /// Relaxed: nothing is read behind it.
  private let shown = Atomic(0)
  private let current = Locked<OrderRun?>(nil)
  private let waiter = Locked<CheckedContinuation<Exploration, Never>?>(nil)

  init(
    _ name: String,
    _ search: Search,
    time: ScenarioTime = .virtual,
    patience: Duration = .seconds(10).patiently,
    notesEvery interval: Duration = .seconds(10),
    runtime finding: TaskLayout.Finding? = nil,
    isOfTest: Bool = false,
    _ subject: OrderRun.Subject
  ) {
    self.finding = finding
    self.isOfTest = isOfTest
    self.name = name
    self.search = search.orders
    ways = search.ways
    seed = chosenSeed(search.seed)
    maxSteps = max(1, search.maxSteps)
    duration = search.duration
    maxSwitches = search.maxSwitches
    self.patience = patience
    self.interval = interval
    self.subject = subject
    start = time == .virtual ? VirtualTime.Start() : nil
  }

  /// Explores.
  func run() async -> Exploration {
    // Found out before anybody sets a hook, because that asks as well.
    if case .body = subject, case .other = finding ?? TaskLayout.finding { return unknownRuntimeReport }
    if isOfTasks { _ = PointProbe.missing }
    RealUses.prepare()
    let watch = DispatchSource.makeTimerSource()
    let interval = patience / OrderWatch.mostChecks
    watch.schedule(deadline: .after(interval), repeating: interval / .seconds(1))
    let state = Locked(OrderWatch())
    watch.setEventHandler { [self] in
      showProgress()
      let (steps, isInOrder) = (stepsTaken.load(ordering: .relaxed), isInOrder.load(ordering: .relaxed))
      if state.withLock({ $0.isStuck(after: steps, isInOrder: isInOrder) }) {
        let report = stuckReport
        isGivenUp.store(true, ordering: .relaxed)
        end(with: report)
      }
    }
    let report = await ExplorerTurn.take {
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

  /// Shows how many orders have been run, on a terminal.
  private func showProgress() {
    guard isTerminal else { return }
    let orders = counted.withLock { $0.orders }
    let was = shown.exchange(orders, ordering: .relaxed)
    if was > 0, orders > was { printToStandardError("explore \"\(name)\": \(times(orders, "order")) so far") }
  }

  /// Delivers the report, if it is the first.
  private func end(with report: Exploration) {
    waiter.withLock { waiter in
      defer { waiter = nil }
      return waiter
    }?.resume(returning: report)
  }

  private var stuckReport: Exploration {
    let run = current.withLock { $0 }
    let step = run?.currentStep ?? "the scenario's own code"
    let coverage = coverageWithThis
    let found = "order \(grouped(coverage.orders)), in which the explorer gave up waiting"
    return report(.stuck(step, for: patience, waiting: run?.currentWait), in: nil, coverage, found)
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

  /// Returns true if no further order may begin, so long after the beginning of the exploration; and notes that.
  func isOver(since start: ContinuousClock.Instant, _ coverage: inout Coverage) -> Bool {
    guard let duration, coverage.orders > coverage.earlier, ContinuousClock.now - start >= duration else {
      return false
    }
    coverage.isOutOfTime = true
    return true
  }

  private func reduction(isDrawn: Bool) -> OrderRun.Reduction {
    // The one order that is run of several that show the same may have more switches than the others.
    if !reduces.load(ordering: .relaxed) || maxSwitches != nil { return .none }
    if case .body = subject { return isDrawn || seesTasks.load(ordering: .relaxed) ? .ofTasks : .none }
    return sharesMore.load(ordering: .relaxed) ? .ofSteps : .full
  }

  // MARK: One order

  /// The way in which an order was found.
  enum Origin {
    case search, random, priorities
  }

  struct Ended {
    var trail: OrderTrail
    var failure: OrderFailure?
    let departure: String?
    var points = Points()
    /// True if others than the explorer ran a part of it.
    var hasLeft = false
    /// The rules by which it left something out.
    var rules: Set<SearchRule> = []
    /// True if a line wasn't a choice because it had yielded too often.
    var isFair = false
    /// True if the body states that nothing is shared but actors and what is explored.
    var isAllExplored = false
    var origin = Origin.search
    let run: OrderRun
  }

  /// The durations of sleeps in all orders.
  private let sleepTimes = SleepTimes()

  /// Runs the scenario in one order.
  ///
  /// - Parameters:
  ///   - isRecorded: True if it is to be drawn.
  ///   - isDrawn: True if it is drawn at random, for which it helps to see what its steps use.
  ///   - isAlone: True if no other thread is known to continue tasks in such an order.
  ///   - strategy: Chooses its steps.
  /// - Returns: The order as it ended.
  func runOrder(
    isRecorded: Bool = false,
    isDrawn: Bool = false,
    isAlone: Bool = false,
    _ strategy: some Strategy
  ) -> Ended {
    let run = OrderRun(
      isRecorded: isRecorded,
      sleepTimes,
      threads,
      carriers: carriers,
      start: start,
      reduction(isDrawn: isDrawn)
    )
    run.isAlone = isAlone
    run.ignored = ignored.withLock(\.self)
    if isGivenUp.load(ordering: .relaxed) {
      return Ended(trail: OrderTrail(), failure: .stuck("a step", for: patience), departure: nil, run: run)
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
    run.driver = Driver(self, strategy)
    run.watchingIssues {
      Scheduling.scheduleThread(by: run) {
        run.begin(subject)
        if case .body = subject { run.runOnCarriers() } else { run.drive(until: { run.hasEnded }) }
      }
    }
    run.driver = nil
    let (departure, isAllExplored) = (run.departure, run.taskScenario?.isAllExplored ?? false)
    let (points, hasLeft, rules) = (run.points, run.hasLeft, run.rules)
    run.abandon()
    return strategy.end(
      Ended(
        trail: run.trail,
        failure: run.failure,
        departure: departure,
        points: points,
        hasLeft: hasLeft,
        rules: rules,
        isFair: run.fairness.hasInterfered,
        isAllExplored: isAllExplored,
        run: run
      )
    )
  }

  /// Chooses the steps of one order by a strategy.
  private final class Driver: OrderDriver {
    private let explorer: Explorer
    private let strategy: any Strategy

    init(_ explorer: Explorer, _ strategy: any Strategy) {
      self.explorer = explorer
      self.strategy = strategy
    }

    func decide(_ run: OrderRun) -> Int? { explorer.decide(run, strategy) }

    func giveUp(_ run: OrderRun, _ failure: OrderFailure) { explorer.giveUp(run, failure) }
  }

  /// Chooses the next step; nil if there is none now, or the order has ended.
  private func decide(_ run: OrderRun, _ strategy: any Strategy) -> Int? {
    if isGivenUp.load(ordering: .relaxed) {
      // Another thread has the turn by now.
      run.end(with: .stuck("a step", for: patience))
      return nil
    }
    stepsTaken.add(1, ordering: .relaxed)
    var choices = run.choices()
    if choices.isEmpty, run.letsTimerRepeat() { choices = run.choices() }
    if choices.isEmpty {
      if !run.waitsForOthers() { run.end() }
    } else if run.trail.count >= maxSteps, case let most = mostSteps(of: run), run.trail.count >= most {
      run.end(with: .tooManySteps(most, last: run.trail.on.last.map { run.titles[$0] } ?? ""))
    } else {
      do throws(OrderFailure) {
        let line = try strategy.choose(among: choices, in: run)
        note.step(line)
        if case .replay = search {
          note.draw(run.trail.count < Self.mostDrawnSteps ? run.drawing(before: line) : "")
        }
        run.append(line, of: choices)
        return line
      } catch {
        run.end(with: error)
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

  /// Runs exactly this order, to draw it.
  func replay(_ lines: [Int]) -> Ended { runOrder(isRecorded: true, ReplayStrategy(lines)) }
}
