// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

/// One run of a scenario, in one order: the scheduler of the futures that are made in it, and the executor of its tasks.
///
/// Everything happens on the one thread that made it, step by step, or on a thread of the scenario while that one waits for
/// it; that makes it `@unchecked Sendable`. Only `lines`, `intrusion`, `waits`, `current` and `foreign` are used by other
/// threads, and have a lock.
final class OrderRun: @unchecked Sendable {
  /// The subject of the exploration.
  enum Subject: Sendable {
    case steps(@Sendable (Scenario) throws -> Void)
    case body(@Sendable @concurrent (TaskScenario) async throws -> Void)
  }

  let lines = Locked(WorkLines())
  /// The first action of another thread.
  let intrusion = Locked<Intrusion?>(nil)
  let waits = Locked(Waits())
  /// The line and the item that are running.
  let current = Locked<(line: Int, item: WorkLines.Item)?>(nil)
  /// The instant at which its time begins.
  let epoch: ContinuousClock.Instant
  /// The time that its threads read; nil if they read the real one.
  let time: VirtualTime?
  /// The number of steps in a row in which a task did nothing but yield.
  var polls = 0
  /// True if a task has yielded in this step, and whether it read the time.
  var yields: (hasYielded: Bool, hasRead: Bool) = (false, false)
  /// The thread that runs: that of the order, or one of the scenario's.
  ///
  /// Relaxed: a thread only compares it with itself, and if they are equal it has written the value.
  let holder = Atomic(CurrentThread.key)
  /// Signalled when the thread of the order may continue.
  let handedBack = DispatchSemaphore(value: 0)
  let pool: ThreadPool
  /// The threads that run its steps, if it is that of a body.
  let carriers: CarrierPool
  /// Signalled when the carriers have run the order.
  let isCarried = DispatchSemaphore(value: 0)
  /// The number of the order among all.
  let serial = OrderRun.count.add(1, ordering: .relaxed).newValue
  // Relaxed: nothing is published with a number.
  private static let count = Atomic(0)
  var threads = Threads()
  /// Chooses the line to continue, or ends the order; nil then.
  var decide: () -> Int? = { nil }
  let reduction: Reduction
  /// True if a thread also shares data of which the explorer doesn't see all uses: a future, a task.
  var sharesMore = false
  /// The choice of a thread of the scenario.
  var next: Int?
  /// True while conditions are evaluated: their actions aren't those of a thread.
  var isLooking = false
  /// Ends the exploration although a step hasn't returned.
  var giveUp: (OrderFailure) -> Void = { _ in }
  var scenario = Scenario()
  var taskScenario: TaskScenario?
  let isRecorded: Bool
  /// True if nobody else continues its tasks: nobody has in an order like this one.
  var isAlone = false

  /// The lines of the actors; work that is queued while the scenario is set up comes before them.
  var actorLines = 0..<0
  /// For each actor, true if it has ended.
  var isOver: [Bool] = []
  var lastSteps: [Int: String] = [:]
  var tasks: [Task<Void, Never>] = []
  var jobs = Jobs()
  /// The function that has the code of the body; known only in a run that is drawn.
  var bodyFunction: String?
  var ownExecutor: RunExecutor?
  var ownMainExecutor: RunMainExecutor?
  /// Jobs that other threads have queued.
  let foreign = Locked<[(job: UnownedJob, place: JobPlace)]>([])
  let foreignCame = DispatchSemaphore(value: 0)
  /// The line whose work is running.
  var running: Int?
  /// The line in which work was queued last.
  var latest: Int?
  /// The failure of the order; nothing more is recorded after it.
  var failure: OrderFailure?
  var hasEnded = false
  /// True if something in it is suspended or blocked forever.
  var isAbandoned = false
  var fairness = Fairness()
  /// The choices so far.
  var trail = OrderTrail()
  /// Takes steps until a condition holds, or the order has failed.
  var drive: (_ isDone: () -> Bool) -> Void = { _ in }
  /// The lines of actors whose turns are interrupted by others, the innermost last.
  var interrupted: [Int] = []
  /// True if the step continues work that was interrupted.
  var isResuming = false
  /// The step that is running.
  var open: (line: Int, label: String, isSilent: Bool, isOperation: Bool)?
  var answer: String?
  var thrown: OrderFailure?

  /// The steps so far, if they are recorded.
  var rows: [OrderDiagram.Row] = []

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

  enum Intrusion {
    case work(line: Int, in: String? = nil)
    /// A task moved to a foreign executor; in words.
    case leaves(String)
    case wait(ScheduledQueue)
  }

  struct Waits {
    var futures: [Int: (line: Int?, future: ScheduledQueue)] = [:]
    var count = 0
  }

  /// The durations of sleeps in all orders.
  let sleepTimes: SleepTimes
  /// The number of sleeps of each line.
  var sleepCounts: [Int: Int] = [:]
  /// The time at which the running step began, or one that interrupted it.
  var stepBegan = ContinuousClock.now

  init(
    isRecorded: Bool = false,
    _ sleepTimes: SleepTimes = SleepTimes(),
    _ pool: ThreadPool = ThreadPool(),
    carriers: CarrierPool = CarrierPool(),
    start: VirtualTime.Start? = nil,
    _ reduction: Reduction = .full
  ) {
    time = start.map(VirtualTime.init)
    epoch = time?.epoch ?? .now
    self.reduction = reduction
    self.isRecorded = isRecorded
    self.pool = pool
    self.carriers = carriers
    self.sleepTimes = sleepTimes
  }

  /// The executor that the tasks of the order prefer.
  var executor: RunExecutor {
    if let ownExecutor { return ownExecutor }
    let new = RunExecutor(self)
    ownExecutor = new
    return new
  }

  var mainExecutor: RunMainExecutor {
    if let ownMainExecutor { return ownMainExecutor }
    let new = RunMainExecutor(self)
    ownMainExecutor = new
    return new
  }

  // MARK: The course of an order

  /// Sets up the subject: up to the first step of each actor, or to the beginning of the body.
  func begin(_ subject: Subject) {
    failure =
      switch subject {
      case .steps(let fill): begin(fill)
      case .body(let body): begin(body)
      }
  }

  private func begin(_ body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void) -> OrderFailure? {
    let scenario = TaskScenario(self)
    taskScenario = scenario
    actorLines = 0..<1
    isOver = [false]
    jobs.nextLine = lines.withLock { $0.addLine("body") }
    if isRecorded {
      rows.append(OrderDiagram.Row(line: nil, text: "", answer: nil, state: nil))
      bodyFunction = TaskLayout.known == nil ? nil : TaskLayout.function(of: TaskLayout.Body(run: body))?.path
    }
    tasks = [
      Task(executorPreference: executor) { [self] in
        do {
          try await body(scenario)
        } catch {
          thrown = .thrown("the body", "\(error)")
        }
        isOver = [true]
      }
    ]
    return failureSoFar
  }

  private func begin(_ fill: (Scenario) throws -> Void) -> OrderFailure? {
    do {
      try fill(scenario)
    } catch {
      return .thrown("the scenario", "\(error)")
    }
    if scenario.actors.isEmpty { return .noActors }
    let names = scenario.actors.map(\.name)
    let last = lines.withLock { lines in names.map { lines.addLine($0) } }.last ?? 0
    actorLines = (last + 1 - names.count)..<(last + 1)
    isOver = names.map { _ in false }
    for (index, actor) in scenario.actors.enumerated() {
      switch actor.script {
      case .steps(let steps): lineUp(steps, index)
      case .tasks(let body): start(body, index)
      case .thread(let body): start(body, index)
      }
    }
    if isRecorded { rows.append(OrderDiagram.Row(line: nil, text: "", answer: nil, state: state)) }
    return failureSoFar
  }

  /// Returns the lines that may continue, the lowest first.
  func choices() -> [Int] {
    takeForeign()
    noteTouched()
    noteTime()
    noteTasks()
    let (heads, clock) = lines.withLock { ($0.heads, $0.clock) }
    var choices = heads.lines
    let occupied = Set(occupied)
    if !occupied.isEmpty { choices.removeAll(where: occupied.contains) }
    for (line, isReady) in heads.conditions where !isReady() { choices.removeAll { $0 == line } }
    let ready = readyThreads
    if !ready.isEmpty { choices = (choices + ready).sorted() }
    // In a body, time passes only when nothing else can continue, or all that do wait for it.
    if taskScenario != nil, let clock, choices.count > 1, !lines.withLock({ $0.isDue }) {
      if polls < Self.mostPolls { choices.removeAll { $0 == clock } } else { choices = [clock] }
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

  /// Called when nothing can continue: gives other threads a moment, if some task may wait for them.
  func waitsForOthers() -> Bool {
    guard taskScenario != nil, !isAlone else { return false }
    // After one intrusion others may follow.
    let moments = intrusion.withLock { $0 } == nil ? 1 : 20
    return VirtualTime.withRealTime {
      let end = ContinuousClock.now + Self.moment * moments
      let turn = CurrentThread.processorTime + Self.turn * moments
      // Looks again and again, because a task that ends elsewhere sends no job.
      while hasUnfinished || isOver.contains(false) {
        let isLate = ContinuousClock.now >= end
        if isLate, CurrentThread.processorTime >= turn { return false }
        if foreignCame.wait(timeout: isLate ? .now() : .after(.milliseconds(5))) == .success { return true }
      }
      return false
    }
  }

  /// The least time that other threads have to continue a task.
  private static let moment = Duration.milliseconds(200)
  /// The time on a core, in nanoseconds, that each of them has had as well when this one has had it, however busy the
  /// machine is.
  private static let turn = 50_000_000

  /// The way in which an order wasn't controlled; nil if it was, or if that is its failure.
  var departure: String? {
    switch intrusion.withLock({ $0 }) {
    case .leaves(let words): return words
    case _ where taskScenario == nil: return nil
    case .work(let line, let function):
      let place = function.map { " (in \($0))" } ?? ""
      return "\"\(title(of: line))\" was resumed by another thread\(place)"
    case .wait(let future): return "another thread awaits \(future.name)"
    case nil where TaskLayout.known == nil:
      return "this runtime isn't known, and makes some hops of actors without a job"
    case nil: return nil
    }
  }

  /// Runs the first item of a line.
  func step(_ line: Int) {
    if !threads.all.isEmpty, stepThread(line) { return }
    let item = lines.withLock { lines in
      let item = lines.popFirst(line)
      time?.now = lines.now
      return item
    }
    guard let item else { return }
    fairness.acts(line)
    beginStep(line, item)
    item.run()
    // The interrupted work continues in this step.
    if isResuming { isResuming = false } else { finishStep() }
  }

  func beginStep(_ line: Int, _ item: WorkLines.Item) {
    beginTime(of: line)
    current.withLock { $0 = (line, item) }
    answer = nil
    latest = nil
    jobs.begun = []
    running = line
    let isActor = actorLines.contains(line)
    let label = isRecorded || isActor ? item.label() : ""
    if isActor { lastSteps[line] = label }
    open = (line, label, false, false)
  }

  /// Omits the running step from the diagram, because it is the rest of the one before.
  func keepsSilent() { open?.isSilent = true }

  /// Ends the step, or its first part: the result so far is recorded and checked.
  func finishStep() {
    guard let (line, label, isSilent, isOperation) = open else { return }
    let wasLooking = isLooking
    isLooking = true
    defer { isLooking = wasLooking }
    open = nil
    running = nil
    current.withLock { $0 = nil }
    guard failure == nil else { return }
    if isRecorded, !isSilent || !jobs.begun.isEmpty {
      record(line, label, isOperation: isOperation)
    } else if let last = rows.indices.last {
      rows[last].end = trail.count
    }
    failure = failureSoFar
  }
}

/// A value that is used only by the thread of one `OrderRun`: that makes it `@unchecked Sendable`.
struct OneThread<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
