// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// Keeps work queued until a test runs it.
final class ManualScheduler: Scheduler {
  struct State {
    var lines = WorkLines()
    var timerWaits = TimerWaits()
    var waits: [Int: ScheduledQueue] = [:]
    var waitCount = 0
  }

  /// The time that a task may wait for a future whose work isn't run.
  static let patience = Duration.seconds(60).patiently

  /// The instant at which its time begins.
  let epoch = ContinuousClock.now
  let state = Locked(State())
  /// Relaxed: set before a turn of the lock, and code that has to find it set has had the lock since.
  private let isClosed = Atomic(false)
  /// True if work is running: only one piece at a time may run, and it sees what the previous piece did.
  private let isRunning = Atomic(false)

  // MARK: For the test

  var pending: [String] {
    let (waiting, titles) = state.withLock { ($0.lines.waiting, $0.lines.titles) }
    return waiting.sorted { $0.item.number < $1.item.number }.map { "\(titles[$0.line]): \($0.item.label())" }
  }

  var now: Int { state.withLock { $0.lines.now } }
  var timers: [String] { state.withLock { $0.lines.timerLabels } }

  /// Runs the first item of the chosen line.
  func runNext(_ choose: (inout WorkLines) -> Int?) -> Bool {
    // The chosen line may be empty.
    let item = state.withLock { state in choose(&state.lines).flatMap { state.lines.popFirst($0) } }
    guard let item else { return false }
    run(item)
    return true
  }

  /// Fires the timers that are due within a time, in order.
  func advance(by nanoseconds: Int) -> Int {
    let end = state.withLock { state in
      let end = state.lines.now.addingReportingOverflow(max(0, nanoseconds))
      return end.overflow ? Int.max : end.partialValue
    }
    var count = 0
    while true {
      let item = state.withLock { state -> WorkLines.Item? in
        guard let clock = state.lines.clock, let next = state.lines.nextDeadline, next <= end else {
          state.lines.pass(to: end)
          return nil
        }
        return state.lines.popFirst(clock)
      }
      guard let item else { return count }
      run(item)
      count += 1
    }
  }

  /// Drops all pending work; returns its descriptions.
  func dropAll() -> [String] {
    let dropped = pending
    // Released after the lock.
    state.release { $0.lines.dropWaiting() }
    return dropped
  }

  /// Ends the control.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    // Queued work is released after the lock, which also notifies sleeping tasks.
    var old = state.withLock { state in
      defer { state = State() }
      return state
    }
    for continuation in old.timerWaits.takeAll() { continuation.resume(throwing: CancellationError()) }
  }

  private func run(_ item: WorkLines.Item) {
    guard !isRunning.exchange(true, ordering: .acquiring) else {
      fatalError("a manual control was told to run work while it runs work: by two threads, or inside of a handler")
    }
    defer { isRunning.store(false, ordering: .releasing) }
    // Futures that are made in the work belong to this control as well.
    Scheduling.schedule(by: self) { item.run() }
  }

  // MARK: Scheduler

  var isScheduling: Bool { !isClosed.load(ordering: .relaxed) }

  func enqueue(_ work: ScheduledWork) {
    state.withLock { _ = $0.lines.append(work) }
  }

  func runLine(of queue: ScheduledQueue) {
    while let item = state.withLock({ state in state.lines.line(of: queue).flatMap { state.lines.popFirst($0) } }) {
      item.run()
    }
  }

  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    let ended = state.withLock { state in
      state.lines.start(timer, fire)
      return state.timerWaits.takeEnded(of: state.lines.timerCount)
    }
    for continuation in ended { continuation.resume() }
  }

  func stop(_ timer: ScheduledTimer) {
    state.release { $0.lines.stop(timer) }
  }

  func executor(forTaskOf name: String) -> any TaskExecutor {
    ManualExecutor(self, state.withLock { $0.lines.addLine("task of \(name)") })
  }

  func beginWait(for future: ScheduledQueue) -> Int {
    let wait = state.withLock { state in
      state.waitCount += 1
      state.waits[state.waitCount] = future
      return state.waitCount
    }
    Watchdog.bark(after: Self.patience) { [weak self] in
      guard let self, isScheduling, let future = state.withLock({ $0.waits[wait] }) else { return }
      let waiting = pending.isEmpty ? "nothing is queued" : "queued: \(pending.joined(separator: "; "))"
      fatalError("a task has awaited \(future.name) for \(seconds(Self.patience)) under a manual control; \(waiting)")
    }
    return wait
  }

  func endWait(_ wait: Int) {
    state.release { $0.waits.removeValue(forKey: wait) }
  }

  fileprivate func add(_ item: WorkLines.Item, to line: Int) {
    state.withLock { $0.lines.append(item, to: line) }
  }
}

/// Queues the parts of a task.
private final class ManualExecutor: TaskExecutor {
  private let scheduler: ManualScheduler
  private let line: Int

  init(_ scheduler: ManualScheduler, _ line: Int) {
    self.scheduler = scheduler
    self.line = line
  }

  func enqueue(_ job: consuming ExecutorJob) {
    // Each job is passed once, and run once.
    let job = UnownedJob(job)
    // A task that outlives the control continues by itself.
    guard scheduler.isScheduling else {
      return DispatchQueue.global().async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    scheduler.add(
      WorkLines.Item(label: { "continues" }) { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) },
      to: line
    )
  }
}
