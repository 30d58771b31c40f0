// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

/// One run of a scenario, in one order: the scheduler of the futures that are made in it, and the executor of its tasks.
///
/// Everything happens on the one thread that made it, step by step, or on a thread of the scenario while that one waits for
/// it (`ThreadTurns`); that makes it `@unchecked Sendable`. Only `lines`, `current`, `waiting` and `others` are used by other
/// threads, and have a lock.
final class OrderRun: @unchecked Sendable {
  /// The subject of the exploration.
  enum Subject: Sendable {
    case steps(@Sendable (Scenario) throws -> Void)
    case body(@Sendable @concurrent (TaskScenario) async throws -> Void)
  }

  let lines = Locked(WorkLines())
  /// The line and the item that are running.
  let current = Locked<(line: Int, item: WorkLines.Item)?>(nil)
  let others = OtherThreads()
  let turns: ThreadTurns
  var time: OrderTime
  var recorder: OrderRecorder
  var threads = Threads()
  var jobs = Jobs()
  var fairness = Fairness()
  var moments = Moments()
  var real = RealUses()
  var driven = DrivenObjects()
  /// What the running code waits for outside of the order, with its return addresses.
  let waiting = Locked<(words: String, callers: [UInt])?>(nil)
  /// The choices so far.
  var trail = OrderTrail()
  /// Chooses the steps; nil before the order, and when it is over.
  var driver: (any OrderDriver)?
  /// The number of the order among all.
  let serial = OrderRun.count.add(1, ordering: .relaxed).newValue
  // Relaxed: nothing is published with a number.
  private static let count = Atomic(0)
  let reduction: Reduction
  /// The kind of things that steps of tasks use unnoticed; nil: none.
  var ignored: String?

  // MARK: The subject

  var scenario = Scenario()
  var taskScenario: TaskScenario?
  /// The lines of the actors; work that is queued while the scenario is set up comes before them.
  var actorLines = 0..<0
  /// For each actor, true if it has ended.
  var isOver: [Bool] = []
  var tasks: [Task<Void, Never>] = []
  /// True if a thread also shares data of which the explorer doesn't see all uses: a future, a task.
  var sharesMore = false
  /// True if nobody else continues its tasks: nobody has in an order like this one.
  var isAlone = false

  // MARK: Where it is

  /// The line whose work is running.
  var running: Int?
  /// The line in which work was queued last.
  var latest: Int?
  /// The lines of actors whose turns are interrupted by others, the innermost last.
  var interrupted: [Int] = []
  /// True if the step continues work that was interrupted.
  var isResuming = false
  /// The failure of the order; nothing more is recorded after it.
  var failure: OrderFailure?
  /// The error of the running step.
  var thrown: OrderFailure?
  var hasEnded = false
  /// The rules by which something was left out, but for ``Fairness``.
  var leftOut: Set<SearchRule> = []
  /// True if something in it is suspended or blocked forever.
  var isAbandoned = false

  /// The steps that are treated as independent if they use nothing in common.
  enum Reduction {
    /// None: all depend on each other.
    case none
    /// Those that declare what they touch.
    case ofSteps
    /// These, and operations of threads.
    case full
    /// Steps of tasks, as far as it can be seen what they use.
    case ofTasks
  }

  init(
    isRecorded: Bool = false,
    _ sleepTimes: SleepTimes = SleepTimes(),
    _ pool: ThreadPool = ThreadPool(),
    carriers: CarrierPool = CarrierPool(),
    start: VirtualTime.Start? = nil,
    _ reduction: Reduction = .full
  ) {
    time = OrderTime(start, sleepTimes)
    turns = ThreadTurns(pool, carriers)
    recorder = OrderRecorder(isOn: isRecorded)
    self.reduction = reduction
  }

  /// The executor that the tasks of the order prefer.
  var executor: RunExecutor {
    if let known = jobs.executor { return known }
    let new = RunExecutor(self)
    jobs.executor = new
    return new
  }

  var mainExecutor: RunMainExecutor {
    if let known = jobs.mainExecutor { return known }
    let new = RunMainExecutor(self)
    jobs.mainExecutor = new
    return new
  }

  /// Runs code of the order; an issue that it records fails the order.
  func watchingIssues(_ body: () -> Void) {
    IssueWatch.run(telling: { [unowned self] in fails(byIssue: $0) }, body)
  }

  // MARK: The course of an order

  /// Chooses the line to continue, or ends the order; nil then.
  func decide() -> Int? { driver?.decide(self) }

  /// Takes steps until a condition holds, or the order has failed.
  ///
  /// Also called in the middle of an actor's turn, which continues when it returns.
  func drive(until isDone: () -> Bool) {
    while driver != nil, failure == nil, !isDone() {
      // A thread of the scenario may have chosen already.
      if let line = turns.next.take() ?? decide() { step(line) }
    }
  }

  /// Returns the lines that may continue, the lowest first.
  func choices() -> [Int] {
    takeForeign()
    noteTouched()
    noteTime()
    noteTasks()
    notesLeaving()
    learnEnds()
    letTimersKeepTime()
    let (heads, clock) = lines.withLock { ($0.heads, $0.clock) }
    var choices = heads.lines
    let occupied = Set(occupied)
    if !occupied.isEmpty { choices.removeAll(where: occupied.contains) }
    for (line, isReady) in heads.conditions where !isReady() { choices.removeAll { $0 == line } }
    let ready = readyThreads
    if !ready.isEmpty { choices = (choices + ready).sorted() }
    // In a body, time passes only when nothing else can continue, or all that do wait for it.
    if taskScenario != nil, let clock, choices.count > 1, !lines.withLock({ $0.isDue }) {
      if time.polls < OrderTime.mostPolls { choices.removeAll { $0 == clock } } else { choices = [clock] }
    }
    if !jobs.settling.isEmpty, case let others = choices.filter({ !jobs.settling.contains($0) }), !others.isEmpty {
      choices = others
    }
    // The turn of an actor continues when the steps that interrupted it are over.
    guard interrupted.count > 1 else { return withWays(fairness.fair(choices)) }
    let others = choices.filter(interrupted.dropLast().contains)
    choices.removeAll(where: others.contains)
    return withWays(fairness.fair(choices, besides: others))
  }

  /// Notes a choice, with what is known of its step before it is taken.
  func append(_ choice: Int, of choices: [Int]) {
    let line = actor(of: choice)
    let item = lines.withLock { $0.head(line) }
    let maker = threads.byLine[line]?.maker ?? item?.maker ?? -1
    trail.append(choice, for: line, of: choices, footprint(of: choice, item), madeBy: maker)
  }

  /// Returns what the next step of a choice uses, as far as it was declared and may be relied on.
  private func footprint(of choice: Int, _ item: WorkLines.Item?) -> Footprint {
    var footprint = Footprint.anything
    // An invariant may see a different state between two steps if they are exchanged.
    let isDeclared = taskScenario == nil && scenario.invariants.isEmpty
    let isNoted = reduction == .ofTasks && taskScenario?.checks.invariants.isEmpty == true
    // The rest is noted while it is taken.
    if isNoted, let item { footprint = item.touches.map(Footprint.init) ?? .nothing }
    if let (thread, _) = threadChoice(choice) {
      let isSeen = isDeclared && reduction == .full || isNoted && thread.carrier != nil
      footprint = isSeen ? thread.pending?.touches ?? .anything : .anything
    } else if isDeclared, reduction != .none, let names = item?.touches {
      footprint = Footprint(names: names)
    }
    if item?.isReady != nil { footprint.mayWait = true }
    return footprint
  }

  /// Runs the first item of a line.
  func step(_ line: Int) {
    if !threads.all.isEmpty, stepThread(line) { return }
    let item = lines.withLock { lines in
      let item = lines.popFirst(line)
      time.virtual?.now = lines.now
      return item
    }
    guard let item else { return }
    fairness.acts(line)
    beginStep(line, item)
    if !driven.resting.isEmpty { repeatTimers() }
    item.run()
    // The interrupted work continues in this step.
    if isResuming { isResuming = false } else { finishStep() }
  }

  func beginStep(_ line: Int, _ item: WorkLines.Item) {
    real.begin()
    time.beginStep(ofClock: line == lines.withLock { $0.clock })
    current.withLock { $0 = (line, item) }
    (recorder.answer, recorder.entry, recorder.callers) = (nil, nil, [])
    latest = nil
    (jobs.begun, jobs.joined) = ([], nil)
    running = line
    let isActor = actorLines.contains(line)
    let label = recorder.isOn || isActor ? item.label() : ""
    if isActor { recorder.lastSteps[line] = label }
    recorder.open = (line, label, false, false)
  }

  /// Omits the running step from the diagram, because it is the rest of the one before.
  func keepsSilent() { recorder.open?.isSilent = true }

  /// Ends the step, or its first part: the result so far is recorded and checked.
  func finishStep() {
    notesLeaving()
    endsUses()
    guard let (line, label, isSilent, isOperation) = recorder.open else { return }
    let wasLooking = turns.isLooking
    turns.isLooking = true
    defer { turns.isLooking = wasLooking }
    recorder.open = nil
    running = nil
    current.withLock { $0 = nil }
    guard failure == nil else { return }
    if recorder.isOn, !isSilent || !jobs.begun.isEmpty {
      record(line, label, isOperation: isOperation)
    } else if let last = recorder.rows.indices.last {
      recorder.rows[last].end = trail.count
    }
    failure = failureSoFar
  }
}

/// A value that is used only by the thread of one `OrderRun`: that makes it `@unchecked Sendable`.
struct OneThread<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }

  /// A variable that is used only by that thread.
  final class Box: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
}
