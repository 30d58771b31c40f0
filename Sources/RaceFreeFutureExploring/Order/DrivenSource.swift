// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// A source of Dispatch in an order: a timer, or one whose data code merges.
///
/// It is queued when it has something to tell, and doesn't overlap with itself. A timer that repeats fires ``mostTicks`` times
/// at any point of an order, and then together with what comes later in the order's time, or when nothing else can continue and
/// somebody waits: otherwise an order would have no end. In a body, time passes only when nothing else can continue, so there it
/// keeps its time while others wait for theirs. The real one is never activated, and is used again by later orders. Used by the
/// one thread of an order that runs: that makes it `@unchecked Sendable`.
///
/// States: inactive → active → cancelled → told; suspended besides.
final class DrivenSource: @unchecked Sendable {
  enum Kind: Int32 { case timer = 1, add, or, replace }

  enum Handler { case event, cancellation, registration }

  /// The number of times that a timer fires while others can continue.
  static let mostTicks = 2

  /// The arguments with which the real one was made.
  private let made: [UInt]
  private let address: UInt
  private let kind: Kind
  private let identity: ExploredIdentity
  private unowned let run: OrderRun
  private var queue: DrivenQueue
  private var handlers: [Handler: () -> HandedWork] = [:]
  private var (isActive, isRegistered, isQueued, isTold) = (false, false, false, false)
  private(set) var isCancelled = false
  private var suspensions = 0
  /// What the next event tells, and what the latest told.
  private var (pending, latched): (UInt, UInt) = (0, 0)
  /// The knowledge of those that have merged data.
  private var released = MemoryModel.Knowledge()
  /// The time at which it fires next, in nanoseconds, and how often then; nil: once.
  private var due: Int?
  private var interval: Int?
  private var ticks = 0
  private var timer: OrderRun.DrivenTimer?

  init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt, _ kind: Kind, _ queue: DrivenQueue, made: [UInt]) {
    (self.run, self.address, self.kind, self.queue, self.made) = (run, address, kind, queue, made)
    identity = run.drivenIdentity(kind == .timer ? "timer" : "source")
    _ = identity.enter(place)
  }

  var data: UInt { isCancelled ? 0 : latched }

  /// True if code has released it: then it tells nothing more.
  private var isReleased: Bool { !rff_hasOtherOwners(address) }

  /// What is wrong with its release: Dispatch stops the program then.
  var misuse: String? {
    guard isReleased, !isActive || suspensions > 0 else { return nil }
    return
      "\(identity.fullName) is released while it is \(isActive ? "suspended" : "inactive"): Dispatch stops the program"
  }

  // MARK: Calls

  /// Comes to a call, as a step of the running code.
  private func step(_ place: ExploredPlace, _ verb: String) {
    guard let thread = place.thread else { return }
    identity.isUsed(by: thread)
    let name = identity.name
    var changes = identity.changes
    for queue in queue.chain { changes.add(queue.identity.changes) }
    if kind == .timer { changes.add(.timers, .write) }
    _ = thread.take(ThreadOperation(label: { "\(name).\(verb)" }, touches: changes))
  }

  func set(_ handler: Handler, _ work: (() -> HandedWork)?, _ place: ExploredPlace) {
    if isActive { step(place, "setHandler") }
    handlers[handler] = work
  }

  func setTarget(_ place: ExploredPlace, _ new: DrivenQueue) {
    if isActive { step(place, "setTarget") }
    queue = new
  }

  func activate(_ place: ExploredPlace, _ verb: String) {
    step(place, verb)
    if isActive, verb == "resume" {
      if suspensions == 0 {
        let text = "resumes \(identity.fullName), which isn't suspended"
        if let thread = place.thread { thread.fail("\"\(run.title(of: thread.line))\" \(text)") }
        run.thrown = .misuse("\(run.currentStep) \(text)")
      }
      suspensions = max(0, suspensions - 1)
    }
    if !isActive {
      (isActive, isRegistered) = (true, handlers[.registration] == nil)
      arm()
    }
    wake(place)
  }

  func suspend(_ place: ExploredPlace) {
    step(place, "suspend")
    suspensions += 1
  }

  func cancel(_ place: ExploredPlace) {
    step(place, "cancel")
    isCancelled = true
    disarm()
    wake(place)
  }

  func isCancelled(_ place: ExploredPlace) -> Bool {
    step(place, "isCancelled")
    return isCancelled
  }

  func merge(_ new: UInt, _ place: ExploredPlace) {
    step(place, kind == .add ? "add" : kind == .or ? "or" : "replace")
    if isCancelled { return }
    switch kind {
    case .add: pending &+= new
    case .or: pending |= new
    case .replace: pending = new
    case .timer: return
    }
    released.learn(run.threads.memory.release(by: place.thread?.number ?? 0))
    wake(place)
  }

  // MARK: Telling

  /// Queues it, if it has something to tell.
  private func wake(_ place: ExploredPlace) {
    guard isActive, suspensions == 0, !isQueued else { return }
    guard isCancelled ? !isTold : !isReleased && (!isRegistered || pending != 0) else { return }
    isQueued = true
    queue.put(place, HandedWork(place, own: { [self] in tell() }))
  }

  /// Runs the handlers that are due: on the queue, where others may act in between as the handlers come to steps.
  private func tell() {
    guard let place = ExploredPlace.current else { return }
    run.threads.memory.acquire(released, by: place.thread?.number ?? 0)
    if !isRegistered, isPermitted {
      isRegistered = true
      handlers[.registration]?().run()
    }
    if pending != 0, isPermitted {
      (latched, pending) = (pending, 0)
      handlers[.event]?().run()
    }
    if isCancelled, !isTold, suspensions == 0 {
      isTold = true
      let handler = handlers[.cancellation]
      handlers = [:]
      handler?().run()
    }
    isQueued = false
    wake(place)
  }

  private var isPermitted: Bool { suspensions == 0 && !isCancelled && !isReleased }

  // MARK: Time

  func setTimer(_ place: ExploredPlace, at start: UInt, every interval: UInt) {
    if isActive { step(place, "schedule") }
    disarm()
    (pending, ticks, due) = (0, 0, nil)
    released.learn(run.threads.memory.release(by: place.thread?.number ?? 0))
    if start == .max { return }
    run.noteTime()
    due = run.now(after: rff_timeUntil(UInt64(start)))
    self.interval = interval > Int.max ? nil : max(1, Int(interval))
    arm()
  }

  private func disarm() {
    if interval != nil, timer != nil { run.driven.repeating -= 1 }
    run.stop(timer)
    timer = nil
    run.driven.resting.removeAll { $0 === self }
  }

  private func arm() {
    guard let due, isActive, !isCancelled, !isReleased else { return }
    let isFree = run.taskScenario == nil ? ticks < Self.mostTicks : run.othersWaitForTime
    if interval == nil || isFree { return start(due) }
    if run.taskScenario == nil { run.leftOut.insert(.repetitions) }
    run.driven.resting.append(self)
  }

  private func start(_ due: Int) {
    if interval != nil { run.driven.repeating += 1 }
    timer = run.startTimer(after: Int64(due - run.now), identity.name) { [self] in
      timer = nil
      if interval != nil { run.driven.repeating -= 1 }
      guard let place = ExploredPlace.current else { return }
      fire(place)
      arm()
    }
  }

  /// Fires for each time that has come.
  private func fire(_ place: ExploredPlace) {
    guard let last = due else { return }
    let count = interval.map { max(0, run.now - last) / $0 + 1 } ?? 1
    due = interval.map { last + count * $0 }
    ticks += 1
    pending &+= UInt(count)
    wake(place)
  }

  /// Fires if its time has come while it rested.
  func catchUp(_ place: ExploredPlace) { if let due, due <= run.now { fire(place) } }

  /// Ends its rest: fires in its turn.
  func goOn() {
    run.driven.resting.removeAll { $0 === self }
    if let due, !isCancelled, !isReleased { start(due) }
  }

  var nextTime: Int { due ?? .max }

  // MARK: The real one

  private struct Real: Sendable {
    /// All that were made for orders.
    var all: Set<UInt> = []
    /// Those that nobody else keeps, by the arguments with which they were made.
    var free: [[UInt]: [UInt]] = [:]
  }

  private static let real = Locked(Real())

  /// True for one that was made for an order, this one or another.
  static func isReal(_ address: UInt) -> Bool { real.withLock { $0.all.contains(address) } }

  static func takeReal(_ made: [UInt]) -> UInt {
    if let known = real.withLock({ $0.free[made]?.popLast() }) { return known }
    let new = rff_makeSource(made[0], made[1], made[2])
    real.withLock { _ = $0.all.insert(new) }
    return new
  }

  /// Drops the handlers at the end of the order: they may hold it.
  func dropHandlers() { (handlers, timer) = ([:], nil) }

  /// Keeps the real one for later orders; one that somebody holds is never released, because Dispatch stops the program if
  /// an inactive one is.
  func letGo() {
    if !isReleased { return }
    rff_setContextOfObject(address, 0)
    Self.real.withLock { $0.free[made, default: []].append(address) }
  }
}

// MARK: - Calls

extension OrderRun {
  func drivesSource(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    if call == rff_call_dispatch_source_create { return makesSource(words, &result, place) }
    guard let source = driven.sources[words[0]] else { return false }
    func set(_ handler: DrivenSource.Handler, isFunction: Bool = false) {
      if words[1] == 0 { return source.set(handler, nil, place) }
      let work = isFunction ? nil : HandedWork(block: words[1], place)
      source.set(handler, { work ?? HandedWork(function: words[1], rff_contextOfObject(words[0]), place) }, place)
    }
    switch call {
    case rff_call_dispatch_source_set_event_handler: set(.event)
    case rff_call_dispatch_source_set_event_handler_f: set(.event, isFunction: true)
    case rff_call_dispatch_source_set_cancel_handler: set(.cancellation)
    case rff_call_dispatch_source_set_cancel_handler_f: set(.cancellation, isFunction: true)
    case rff_call_dispatch_source_set_registration_handler: set(.registration)
    case rff_call_dispatch_source_set_registration_handler_f: set(.registration, isFunction: true)
    case rff_call_dispatch_source_set_timer: source.setTimer(place, at: words[1], every: words[2])
    case rff_call_dispatch_source_merge_data: source.merge(words[1], place)
    case rff_call_dispatch_source_cancel: source.cancel(place)
    case rff_call_dispatch_source_testcancel: result = source.isCancelled(place) ? 1 : 0
    case rff_call_dispatch_source_get_data: result = source.data
    case rff_call_dispatch_activate: source.activate(place, "activate")
    case rff_call_dispatch_resume: source.activate(place, "resume")
    case rff_call_dispatch_suspend: source.suspend(place)
    case rff_call_dispatch_set_target_queue:
      guard let target = queue(words[1], place) else { return false }
      source.setTarget(place, target)
    default: return false
    }
    return true
  }

  private func makesSource(_ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    guard let kind = DrivenSource.Kind(rawValue: rff_kindOfSource(words[0])),
      let queue = queue(words[3] == 0 ? rff_defaultQueue() : words[3], place)
    else { return false }
    let made = Array(words.prefix(3))
    result = DrivenSource.takeReal(made)
    // For the caller.
    rff_retainObject(result)
    driven.sources[result] = DrivenSource(self, place, result, kind, queue, made: made)
    return true
  }

  // MARK: Timers that repeat

  /// The time of the order after some nanoseconds.
  fileprivate func now(after nanoseconds: Int64) -> Int {
    let (time, overflow) = now.addingReportingOverflow(Int(max(0, nanoseconds)))
    return overflow ? .max : time
  }

  /// True if somebody else than timers that repeat waits for time to pass.
  fileprivate var othersWaitForTime: Bool { lines.withLock(\.timerCount) > driven.repeating }

  /// Fires the resting timers whose time has come.
  func repeatTimers() {
    guard let place = ExploredPlace.current else { return }
    for timer in driven.resting { timer.catchUp(place) }
  }

  /// Lets resting timers of a body fire in time, if somebody else waits for that to pass.
  func letTimersKeepTime() {
    guard !driven.resting.isEmpty, taskScenario != nil, othersWaitForTime else { return }
    for timer in driven.resting { timer.goOn() }
  }

  /// Lets the next timer that repeats fire, because nothing else can continue; returns false if nobody waits.
  func letsTimerRepeat() -> Bool {
    guard !hasEnded, let next = driven.resting.min(by: { $0.nextTime < $1.nextTime }) else { return false }
    guard hasUnfinished || isOver.contains(false) || !stuckThreads.isEmpty else { return false }
    next.goOn()
    return true
  }
}
