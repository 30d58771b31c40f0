// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

// MARK: - Steps that are interrupted

extension OrderRun {
  /// Runs the order on carriers, and waits for its end: on the thread of the order.
  func runOnCarriers() {
    turns.carry(self)
    becomesHolder()
  }

  /// Runs steps until another carrier continues, or the order is over.
  func carry(on carrier: Carrier) {
    becomesHolder()
    while failure == nil, !hasEnded {
      guard let line = turns.next.take() ?? decide() else { continue }
      if let (step, way) = interruptedStep(by: line) {
        // The other one may need this one for the next step.
        turns.carriers.put(carrier)
        return resume(step, way)
      }
      carrier.line = line
      self.step(line)
    }
    turns.carriers.put(carrier)
    endInterrupted()
  }

  /// The thread of the running code: it is that of a task or, for a handler, of the line that it runs in.
  func stepThread(on carrier: Carrier) -> ExploredThread {
    let line = currentTask.flatMap { jobs.tasks[$0]?.line } ?? carrier.line
    return stepThread(of: line, on: carrier)
  }

  func stepThread(of line: Int, on carrier: Carrier) -> ExploredThread {
    if let known = threads.ofSteps[line] {
      known.carrier = carrier
      return known
    }
    let new = ExploredThread(line: line, number: 0, isService: false, carrier: carrier, run: self)
    threads.ofSteps[line] = new
    return new
  }

  /// Interrupts the running step before an operation until it is chosen, and returns the way in which it is to be taken.
  ///
  /// Called in the middle of the step, on the carrier that runs it.
  func interrupt(_ step: ExploredThread, before operation: ThreadOperation) -> Int {
    let place = (jobs.turn, jobs.served, jobs.isOnMainActor)
    // The order is over. The step may end, now or when others have, which may give back what it waits for.
    if failure != nil || hasEnded {
      if let way = operation.ways().first { return way }
      stay(step, before: operation)
      step.mayGoOn.wait()
      becomesHolder()
      (jobs.turn, jobs.served, jobs.isOnMainActor) = place
      return step.way
    }
    if let way = wayInInitializer(operation) { return way }
    // In a handler nobody else acts, unless that has to wait for somebody.
    if isInHandler, let way = operation.ways().first(where: { $0 >= 0 }) {
      trail.use(operation.touches ?? .anything)
      return way
    }
    if !operation.mayLook { step.looks = [:] }
    park(step, before: operation)
    finishStep()
    turns.isLooking = true
    var chosen: Int?
    while failure == nil, !hasEnded, chosen == nil { chosen = decide() }
    turns.isLooking = false
    if let chosen, let (other, way) = interruptedStep(by: chosen), other === step {
      unpark(step, way)
    } else {
      turns.next = chosen
      passOn()
      step.mayGoOn.wait()
      becomesHolder()
    }
    (jobs.turn, jobs.served, jobs.isOnMainActor) = place
    latest = nil
    real.begin()
    return step.way
  }

  /// Interrupts the running step before an operation on an explored primitive.
  func operate(_ step: ExploredThread, _ operation: ThreadOperation) -> Int {
    comesToPoint()
    let way = interruptOnTheWay(step, before: operation)
    recorder.open?.isOperation = true
    recorder.callers = operation.callers
    return way
  }

  /// Notes that the running task has come to a point at which others could act.
  private func comesToPoint() {
    if let task = currentTask { jobs.tasks[task]?.parts += 1 }
  }

  /// Interrupts the running step: if nobody acts in between, it is one step in the diagram, unless that says more of its
  /// first part than where it came to.
  private func interruptOnTheWay(_ step: ExploredThread, before operation: ThreadOperation) -> Int {
    let (begun, rowCount, count) = (jobs.begun, recorder.rows.count, trail.count)
    let way = interrupt(step, before: operation)
    jobs.begun = begun
    if trail.count == count + 1, recorder.rows.count > rowCount, recorder.rows.last?.isOnTheWay == true {
      recorder.rows.removeLast()
    }
    if recorder.isOn, let task = jobs.tasks.values.first(where: { $0.line == step.line }) {
      task.lastStep = recorder.rows.count
    }
    return way
  }

  /// Lets others act in the middle of the running step, at a point where a machine might: unless there are none.
  func cut(_ words: @autoclosure @escaping () -> String, mayHoldLocks: Bool = false) {
    jobs.entry = nil
    guard failure == nil, !hasEnded, !turns.isLooking, isOwnThread, !isInHandler else { return }
    // On the thread of a queue.
    if taskScenario != nil, let thread = ExploredPlace.current?.thread, thread.carrier == nil {
      comesToPoint()
      _ = thread.take(ThreadOperation(label: words, isCut: true, mayHoldLocks: mayHoldLocks))
      return
    }
    guard let carrier = ExploredPlace.current?.carrier else { return }
    comesToPoint()
    guard case let clock = lines.withLock({ $0.clock }), choices().contains(where: { $0 != clock })
    else { return }
    // What the code behind it uses is noted as it does.
    var operation = ThreadOperation(label: words, touches: .nothing)
    (operation.isCut, operation.mayHoldLocks) = (true, mayHoldLocks)
    _ = interruptOnTheWay(stepThread(on: carrier), before: operation)
  }

  /// Lets others act after the running code has made or resumed a task, which may act from now on.
  func letBegin() {
    guard let task = jobs.begins.take() else { return }
    // A task that has ended runs no more code: it tells those that wait for it, and isn't the current one any more. Nor
    // does one that wakes a sleeper.
    if let last = currentTask ?? jobs.begun.last, TaskLayout.known != nil, TaskLayout.isComplete(last) { return }
    if let current = currentTask, jobs.tasks[current]?.isHelper == true { return }
    if currentTask == nil, jobs.isWaking || running == lines.withLock({ $0.clock }) { return }
    if isInHandler {
      jobs.hasLetBegin = true
    } else {
      cut(jobs.tasks[task]?.hasBegun == true ? "resumes" : "makes", task)
    }
  }

  private func cut(_ verb: String, _ task: UInt) {
    let line = jobs.tasks[task]?.line
    cut("\(verb) \(line.map { self.title(of: $0) } ?? "a task")", mayHoldLocks: true)
  }

  /// Lets others act after a cancellation whose handlers have resumed or made a task.
  func hasCancelled() {
    guard jobs.hasLetBegin, !isInHandler else { return }
    jobs.hasLetBegin = false
    cut("has cancelled", mayHoldLocks: true)
  }

  /// Lets others act before a task begins on the stack of the running one.
  func makesImmediate(_ address: UInt) {
    guard isOwnThread, !turns.isLooking, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      return
    }
    let job = unsafe UnownedJob(address: pointer)
    adoptIfNew(job)
    let line = seen(job).line
    cut("makes \(self.title(of: line))", mayHoldLocks: true)
  }

  /// Lets others act when such a task has come to its first suspension, or its end.
  func comesBack(from address: UInt) {
    guard isOwnThread, !turns.isLooking, let line = jobs.tasks[address]?.line else { return }
    jobs.begun = [currentTask].compactMap(\.self)
    cut("comes back from \(self.title(of: line))", mayHoldLocks: true)
  }

  /// Lets others act before a task continues on the generic executor, on which it is: without a job, it would continue
  /// at once.
  ///
  /// Not if it does so at the beginning of its job, before it has run any code: then it has just been chosen.
  ///
  /// - Parameter resume: The function with which it continues.
  func cutHop(to resume: UInt) {
    guard jobs.turn == nil, !jobs.isOnMainActor else { return }
    if let began = jobs.entry.take(), began.task == currentTask {
      // The parts of a function lie one behind the other; one that only hops is short.
      if began.isFirst || (1...384).contains(Int(bitPattern: resume &- began.resume)) { return }
    }
    cut("comes to a hop")
  }

  /// The lines whose steps are interrupted: nothing else runs in them.
  var occupied: [Int] { threads.all.compactMap { $0.pending == nil ? nil : $0.carrier?.line } }

  private func interruptedStep(by choice: Int) -> (ExploredThread, way: Int)? {
    guard let (step, way) = threadChoice(choice), step.carrier != nil, step.pending != nil else { return nil }
    return (step, way)
  }

  private func park(_ step: ExploredThread, before operation: ThreadOperation) {
    (step.statusLocks, step.threadNumber) = (statusLocks, rff_threadNumber())
    (step.pending, step.isOver, step.maker) = (operation, false, trail.count - 1)
    step.turns = Set([step.carrier?.line, jobs.turn].compactMap(\.self)).subtracting(
      jobs.turn == nil ? [step.line] : []
    )
    threads.all.append(step)
    threads.byLine[step.line] = step
  }

  private func unpark(_ step: ExploredThread, _ way: Int) {
    guard let operation = step.pending else { return }
    (step.pending, step.isOver, step.way, step.statusLocks) = (nil, true, way, [])
    threads.all.removeAll { $0 === step }
    threads.byLine[step.line] = nil
    if failure != nil || hasEnded { return }
    uses(.task(step.line))
    for line in step.turns { isInTurn(of: line) }
    beginThreadStep(step, operation)
  }

  private func resume(_ step: ExploredThread, _ way: Int) {
    unpark(step, way)
    step.mayGoOn.signal()
  }

  /// Lets another thread continue: that of the chosen step or, if the order is over, of one that can come to its end.
  ///
  /// The caller does nothing more before it is continued itself.
  func passOn() {
    if failure != nil || hasEnded { return endInterrupted() }
    guard let line = turns.next, let (step, way) = interruptedStep(by: line) else { return turns.carriers.carry(self) }
    turns.next = nil
    resume(step, way)
  }

  /// Ends the interrupted steps when the order is over, then continues its thread.
  ///
  /// Those that wait for something that doesn't come stay where they are.
  private func endInterrupted() {
    for step in threads.all where step.carrier != nil {
      if let way = step.pending?.ways().first { return resume(step, way) }
    }
    turns.endCarrying()
  }

  /// Leaves a step where it is, because the order is over, and lets the others end.
  ///
  /// It goes on if what its operation waits for comes; without one, it never does.
  private func stay(_ step: ExploredThread, before operation: ThreadOperation?) {
    step.pending = operation
    step.isOver = false
    if !threads.all.contains(where: { $0 === step }) { threads.all.append(step) }
    endInterrupted()
  }

  /// Blocks the calling thread forever.
  func block(_ step: ExploredThread) -> Never {
    stay(step, before: nil)
    while true { step.mayGoOn.wait() }
  }

  /// Makes the calling thread that of the running code.
  func becomesHolder() {
    // Relaxed: what the one before has written is published by the semaphore that continued this thread.
    turns.take()
    // Another exploration may have the turn by now.
    if case .stuck? = failure { return }
    Scheduling.scheduleFromHere()
  }
}
