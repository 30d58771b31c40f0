// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

extension OrderRun {
  var isOnMainActor: Bool { isOwnThread && jobs.isOnMainActor }

  // MARK: Calls of the runtime

  /// Receives a job that may run.
  func receive(_ job: UnownedJob, at place: JobPlace) {
    guard isOwnThread else { return others.queue(job, at: place) }
    if job.kind == .task {
      adoptIfNew(job)
      let seen = seen(job)
      // Not yet on the main actor: it waits there.
      if place == .anywhere { seen.isCalling = false }
      let task = seen.line
      let line = place == .mainActor ? mainLine : task
      if place == .mainActor { uses(.line(line)) }
      add(
        WorkLines.Item(label: { [self] in place == .mainActor ? title(of: task) : stepLabel(of: job) }) { [self] in
          run(job, at: place)
        },
        to: line
      )
      letBegin()
    } else if job.kind == .wake {
      let line = currentTask.flatMap { jobs.tasks[$0]?.line } ?? addLine("job")
      fairness.yields(line)
      time.yieldsTask()
      add(WorkLines.Item(label: { "continues" }) { [self] in wake(job, line) }, to: line)
    } else {
      let line = actorLine(of: job)
      add(WorkLines.Item(label: { "runs" }) { [self] in run(job, at: place, turn: line) }, to: line)
      letBegin()
    }
  }

  /// Returns the intended duration of the running task's sleep, from the time that is left.
  func sleepTime(left: Duration) -> Duration {
    time.sleepTime(of: isOwnThread ? currentTask.flatMap { jobs.tasks[$0]?.line } : nil, left: left)
  }

  /// Receives a job that may run after a time.
  func receive(_ job: UnownedJob, after time: Duration) {
    guard isOwnThread else { return others.queue(job, at: .anywhere) }
    let sleeper = currentTask
    let line = sleeper.flatMap { jobs.tasks[$0]?.line }
    let name = line.map(title) ?? "a task"
    if let sleeper { jobs.tasks[sleeper]?.isSleeping = true }
    // A task of the library, which wakes the sleeping one.
    record(SeenTask(line: line ?? 0, object: object(of: job), isHelper: true), of: job)
    start(ScheduledTimer(interval: time, name: name)) { [self] in
      if let sleeper { jobs.tasks[sleeper]?.isSleeping = false }
      adoptIfNew(job)
      latest = nil
      run(job, at: .anywhere)
    }
  }

  /// Notes that a job is about to be queued: perhaps on an actor, which doesn't report it.
  func jobWillBeEnqueued(_ job: UnownedJob) {
    guard TaskLayout.isEnqueued(job.address) else { return }
    notesLeaving()
    adoptIfNew(job)
    let known = jobs.tasks[job.address]
    known?.isCalling = true
    if known?.hasBegun == true, let current = currentTask, current != job.address {
      resumes(job.address, by: current)
    }
    let destination = TaskLayout.destination(of: job.address)
    // A task that hops has been suspended already.
    let isHop = currentTask == nil && jobs.begun.last == job.address
    var leaving: (job: UInt, words: String)?
    defer {
      usesQueue(of: job, destination)
      jobs.leaving = leaving
      // It is queued next: without another step in between.
      jobs.begins = isHop ? nil : job.address
    }
    if case .customExecutor(let identity) = destination, identity != mainExecutor.identity {
      leaving = self.leaving(job, "calls an actor that has an executor of its own")
    } else if let preferred = TaskLayout.preferredExecutor(of: job.address), !isOwn(preferred) {
      leaving = self.leaving(job, "prefers an executor of its own")
    }
    // It holds no lock.
    guard isHop, let task = known else { return }
    switch destination {
    case .defaultActor(let actor): letOthersAct(before: task.line, comesTo: line(of: actor))
    case .customExecutor(let identity):
      letOthersAct(
        before: task.line,
        comesTo: identity == mainExecutor.identity ? mainLine : line(ofExecutor: identity)
      )
    case .anywhere, nil: break
    }
  }

  /// Returns true if jobs for this executor come back here.
  private func isOwn(_ taskExecutor: UInt) -> Bool {
    unsafe TaskLayout.identity(of: executor.asUnownedTaskExecutor()) == taskExecutor
  }

  private func leaving(_ job: UnownedJob, _ verb: String) -> (job: UInt, words: String) {
    let title = jobs.tasks[job.address].map { "\"\(self.title(of: $0.line))\"" } ?? "a new task"
    let function = TaskLayout.functions(of: job.address).first ?? TaskLayout.origin(of: job.address)
    return (job.address, "\(title)\(function.map { " (in \($0.words))" } ?? "") \(verb)")
  }

  /// Queues work of an executor of the user's own: the job comes to the queue within the step that makes or resumes its task.
  func putJob(
    _ work: HandedWork,
    on queue: DrivenQueue,
    _ place: ExploredPlace,
    isBarrier: Bool,
    _ group: DrivenGroup?,
    _ leaving: (job: UInt, words: String)
  ) {
    jobs.awaitedCount += 1
    let number = jobs.awaitedCount
    jobs.awaited[leaving.job] = number
    work.onEnd = { [self] in
      // What it ran was another one.
      if jobs.awaited[leaving.job] == number { others.note(.leaves(leaving.words)) }
    }
    trail.use(.anything)
    queue.put(place, work, isBarrier: isBarrier, group: group)
    letBegin()
  }

  /// Runs a job of such an executor; returns false if it is none.
  ///
  /// With the executor that its task prefers: without it, the task would leave the queue where it calls the same actor again.
  func runsJob(_ words: [UInt]) -> Bool {
    guard jobs.awaited[words[0]] != nil, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: words[0]),
      TaskLayout.preferredExecutor(of: words[0]).map(isOwn) == true
    else { return false }
    // An executor is two words.
    let queue = unsafe unsafeBitCast((words[1], words[2]), to: UnownedSerialExecutor.self)
    let own = unsafe executor.asUnownedTaskExecutor()
    OrderRun.asUser { unsafe UnownedJob(address: pointer).runSynchronously(isolatedTo: queue, taskExecutor: own) }
    return true
  }

  /// Notes that the job which was queued last has left, if no queue of the order has it.
  func notesLeaving() {
    if let leaving = jobs.leaving.take() { others.note(.leaves(leaving.words)) }
  }

  /// Notes that a job begins to run: perhaps in the turn of an actor, which may serve several.
  func jobBegins(_ job: UnownedJob) {
    // Where another task runs, that cancels this one, or awaits it.
    let isForeign = currentTask.map { $0 != job.address } ?? false
    guard TaskLayout.isEnqueued(job.address), !isForeign else {
      touches(job)
      // Somebody awaits it who needn't wait.
      if !TaskLayout.isEnqueued(job.address) { real.join() }
      return
    }
    jobs.awaited[job.address] = nil
    let task = seen(job)
    task.wasWaiting = false
    if task.isHelper { return }
    if jobs.turn != nil {
      if jobs.served > 0 { letOthersAct() }
      jobs.served += 1
    }
    // If calls may overtake, the turn could have served another one before this one came.
    let isFirstCome = jobs.turn == nil || jobs.priorities.count == 1
    if let queued = jobs.queued[job.address], isFirstCome { comes(after: queued) }
    if let turn = jobs.turn ?? (jobs.isOnMainActor ? mainLine : nil) { isInTurn(of: turn) }
    task.isCalling = false
    begins(job, task)
    if jobs.turn != nil || jobs.isOnMainActor { task.wasServed = true }
    if recorder.isOn { task.lastStep = recorder.rows.count }
  }

  func begins(_ job: UnownedJob, _ task: SeenTask) {
    jobs.begun.append(job.address)
    jobs.entry = (job.address, TaskLayout.resumes(job), !task.hasBegun)
    uses(.task(task.line))
    if recorder.isOn {
      recorder.entry = task.hasBegun ? TaskLayout.resumes(job) : TaskLayout.entry(of: job.address)
    }
    task.hasBegun = true
    task.parts += 1
  }

  // MARK: Running them

  private func run(_ job: UnownedJob, at place: JobPlace, turn: Int? = nil) {
    let outer = (jobs.turn, jobs.served, jobs.isOnMainActor)
    (jobs.turn, jobs.served, jobs.isOnMainActor) = (turn, 0, place == .mainActor)
    defer { (jobs.turn, jobs.served, jobs.isOnMainActor) = outer }
    time.beginJob()
    let (task, main) = unsafe (executor.asUnownedTaskExecutor(), mainExecutor.asUnownedSerialExecutor())
    jobs.begun = []
    switch place {
    case .anywhere:
      unsafe job.runSynchronously(on: task)
    case .mainActor:
      unsafe job.runSynchronously(isolatedTo: main, taskExecutor: task)
    }
  }

  /// Lets others act before an actor serves its next queued call: it hasn't begun, so any other may come in between.
  private func letOthersAct() {
    guard let line = jobs.turn else { return }
    finishStep()
    letOthersAct(until: line, "continues")
  }

  /// Lets others act before a task is queued in a line that keeps its order: they may come there first.
  private func letOthersAct(before line: Int, comesTo destination: Int) {
    // There is no other that could come first.
    guard failure == nil, !choices().isEmpty else { return }
    jobs.destination = destination
    finishStep()
    letOthersAct(until: line, "is queued")
    jobs.destination = nil
  }

  private func letOthersAct(until line: Int, _ label: String) {
    if let carrier = ExploredPlace.current?.carrier {
      let count = trail.chosen.count
      _ = interrupt(stepThread(of: line, on: carrier), before: ThreadOperation(label: { label }, touches: .nothing))
      if trail.chosen.count == count + 1 { keepsSilent() }
      return
    }
    if let thread = ExploredPlace.current?.thread {
      _ = thread.take(ThreadOperation(label: { label }))
      return
    }
    let (count, hasGoneOn) = (trail.chosen.count, Variable(false))
    add(
      WorkLines.Item(label: { label }) { [self] in
        hasGoneOn.value = true
        isResuming = true
      },
      to: line
    )
    interrupted.append(line)
    drive(until: { hasGoneOn.value })
    interrupted.removeLast()
    if trail.chosen.count == count + 1 { keepsSilent() }
  }

  /// Continues a task that yielded in the same step, if there is no other choice.
  private func wake(_ job: UnownedJob, _ line: Int) {
    latest = nil
    jobs.isWaking = true
    run(job, at: .anywhere)
    jobs.isWaking = false
    if latest == line { runLatest() }
  }

  func adoptIfNew(_ job: UnownedJob) {
    guard job.kind == .task, let layout = TaskLayout.known, layout.isToBeAdopted(job.address) else { return }
    // The memory of a child that has ended: the next one of its parent may be at the same place.
    jobs.tasks[job.address] = nil
    if let record = unsafe TaskLayout.adopt(job.address, by: executor.asUnownedTaskExecutor()) {
      jobs.adopted.append((object(of: job), record))
    } else {
      // The task releases what its own record names when it ends.
      _ = unsafe Unmanaged.passRetained(executor)
    }
  }

  /// Notes that the running task begins to sleep on a clock, or has slept.
  func runningTask(sleeps: Bool) {
    if isOwnThread, let task = currentTask { jobs.tasks[task]?.isSleeping = sleeps }
  }

  // MARK: Lines

  var mainLine: Int { lines.withLock { $0.line(of: DispatchQueue.main) } }

  /// The line of an executor that isn't controlled: it has no steps.
  private func line(ofExecutor identity: UInt) -> Int {
    if let known = jobs.executors[identity] { return known }
    let line = addLine("an actor with an executor of its own")
    trail.usesSomethingNew()
    jobs.executors[identity] = line
    return line
  }

  func addLine(_ title: String) -> Int { lines.withLock { $0.addLine(title) } }

  /// Returns the record of a task, which is made if it is new.
  func seen(_ job: UnownedJob) -> SeenTask {
    if let known = jobs.tasks[job.address] { return known }
    let line = jobs.nextLine ?? addLine(title(ofNew: job))
    jobs.nextLine = nil
    let task = SeenTask(line: line, object: object(of: job), SeenTask.Kind(of: job))
    if task.kind != .alone { task.parent = currentTask.flatMap { jobs.tasks[$0]?.line } ?? 0 }
    record(task, of: job)
    jobs.addresses.append(job.address)
    return task
  }

  private func record(_ task: SeenTask, of job: UnownedJob) {
    RuntimeControl.touchedTasks.forget(job.address)
    jobs.tasks[job.address] = task
  }

  /// Returns a task as an object, to keep it.
  private func object(of job: UnownedJob) -> AnyObject { unsafe unsafeBitCast(job, to: AnyObject.self) }

  private func actorLine(of job: UnownedJob) -> Int {
    guard TaskLayout.known != nil, let actor = TaskLayout.actor(ofTurn: job) else { return addLine("actor") }
    return line(of: actor)
  }

  func line(of actor: AnyObject) -> Int {
    if let known = jobs.actors[ObjectIdentifier(actor)], known.actor != nil { return known.line }
    let line = addLine("\(type(of: actor))")
    trail.usesSomethingNew()
    jobs.actors[ObjectIdentifier(actor)] = ActorLine(actor: actor, line: line)
    return line
  }

  /// The task that is running.
  var currentTask: UInt? {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return nil }
      return unsafe UInt(bitPattern: unsafeBitCast(task, to: Int.self))
    }
  }

  /// Releases all tasks, which have ended.
  func letGoOfTasks() {
    for (task, record) in jobs.adopted {
      unsafe TaskLayout.release(UInt(bitPattern: Unmanaged.passUnretained(task).toOpaque()), record)
    }
    jobs = Jobs()
  }
}
