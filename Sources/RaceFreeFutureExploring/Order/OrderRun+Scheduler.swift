// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

// MARK: - Scheduler

extension OrderRun: Scheduler, SleepObserver {
  var isScheduling: Bool {
    if isOwnThread { jobs.usesFutures = true }
    return true
  }

  func enqueue(_ work: ScheduledWork) {
    usesAnything()
    // For the arrows of an order that is drawn; a search knows no more of futures than that they use anything.
    let maker = isOwnThread && recorder.isOn ? trail.count - 1 : -1
    let line = lines.withLock { $0.append(work, madeBy: maker) }
    notesSharing()
    if !isOwnThread { others.note(.work(line: line)) }
  }

  func runLine(of queue: ScheduledQueue) {
    guard let line = lines.withLock({ $0.line(of: queue) }) else { return }
    while let item = lines.withLock({ $0.popFirst(line) }) { item.run() }
  }

  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    notesSharing()
    noteTime()
    uses(.timers)
    lines.withLock { $0.start(timer, fire) }
  }

  func stop(_ timer: ScheduledTimer) {
    uses(.timers)
    lines.release { $0.stop(timer) }
  }

  func executor(forTaskOf name: String) -> any TaskExecutor {
    usesAnything()
    // Its task is made next.
    if isOwnThread { jobs.nextLine = lines.withLock { $0.addLine("task of \(name)") } }
    return executor
  }

  func beginWait(for future: ScheduledQueue) -> Int {
    usesAnything()
    if !isOwnThread { others.note(.wait(future)) }
    let line = isOwnThread ? currentTask.flatMap { jobs.tasks[$0]?.line } ?? running : nil
    return others.waits.withLock { waits in
      waits.count += 1
      waits.futures[waits.count] = (line, future)
      return waits.count
    }
  }

  func endWait(_ wait: Int) { others.waits.release { $0.futures.removeValue(forKey: wait) } }
}

// MARK: - Time

extension OrderRun: Timekeeper {
  var epoch: ContinuousClock.Instant { time.epoch }

  var now: Int {
    noteTime()
    return lines.withLock { $0.now }
  }

  /// Takes over the time to which code has come that only reads it.
  func noteTime() {
    guard let time = time.virtual, isOwnThread else { return }
    lines.withLock { $0.pass(to: time.now) }
  }

  func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool {
    noteTime()
    uses(.timers)
    return lines.withLock { $0.start(timer, at: deadline, fire) }
  }
}
