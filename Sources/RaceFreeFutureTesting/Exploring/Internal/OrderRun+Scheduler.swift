// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

// MARK: - Scheduler

extension OrderRun: Scheduler {
  var isScheduling: Bool { true }

  func enqueue(_ work: ScheduledWork) {
    let line = lines.withLock { $0.append(work) }
    notesSharing()
    if !isOwnThread { note(.work(line: line)) }
  }

  func runLine(of queue: ScheduledQueue) {
    guard let line = lines.withLock({ $0.line(of: queue) }) else { return }
    while let item = lines.withLock({ $0.popFirst(line) }) { item.run() }
  }

  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    notesSharing()
    lines.withLock { $0.start(timer, fire) }
  }

  func stop(_ timer: ScheduledTimer) {
    lines.release { $0.stop(timer) }
  }

  func executor(forTaskOf name: String) -> any TaskExecutor {
    // Its task is made next.
    if isOwnThread { jobs.nextLine = lines.withLock { $0.addLine("task of \(name)") } }
    return executor
  }

  func beginWait(for future: ScheduledQueue) -> Int {
    if !isOwnThread { note(.wait(future)) }
    let line = isOwnThread ? currentTask.flatMap { jobs.tasks[$0]?.line } ?? running : nil
    return waits.withLock { waits in
      waits.count += 1
      waits.futures[waits.count] = (line, future)
      return waits.count
    }
  }

  func endWait(_ wait: Int) { waits.release { $0.futures.removeValue(forKey: wait) } }
}

// MARK: - Time

extension OrderRun: Timekeeper {
  var now: Int { lines.withLock { $0.now } }

  func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool {
    lines.withLock { $0.start(timer, at: deadline, fire) }
  }
}
