// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

/// The next operation of a thread of a scenario on shared data.
struct ThreadOperation {
  let label: () -> String
  /// The things that it uses, as far as it is known before; nil: it may use anything.
  var touches: Footprint?
  /// Returns the ways in which it may be taken now.
  ///
  /// 0 is the ordinary way. Empty: it can't be taken.
  var ways: () -> [Int] = { [0] }
  /// Returns the reason that it can't be taken, if it can't.
  var waits: () -> String = { "can't go on" }
  /// True if a queue waits for more work.
  var isIdle = false
  /// True if it may turn out to change nothing; then it is noted as a look, and otherwise it ends the looks so far.
  var mayLook = false
  /// True if it is only a point at which others may act.
  var isCut = false
  /// True if the code there may hold a real lock: a condition might need it.
  var mayHoldLocks = false
  /// Its return addresses, in an order that is drawn.
  var callers: [UInt] = []

  /// The way in which a queue without work ends.
  static let end = -1
  /// The way in which a wait ends without a signal: code must not rely on it.
  static let byChance = -2
}

/// A thread of a scenario: it stops before each operation on an explored primitive, until it is chosen.
///
/// In the body of `exploreTasks`, a step that is interrupted is one as well.
///
/// Only one thread of an order runs at a time, the one that was continued; all that it shares with others is published
/// through the semaphores. That makes it `@unchecked Sendable`.
final class ExploredThread: @unchecked Sendable {
  let line: Int
  /// Its number in the memory model.
  let number: Int
  /// True if it belongs to a queue: it has no end of its own.
  let isService: Bool
  /// The order is kept by its explorer until its end, and forever if the thread hasn't ended.
  unowned let run: OrderRun
  /// The operation before which it has stopped; nil while it runs, and when it has ended.
  var pending: ThreadOperation?
  var isOver = false
  /// The values that it has read since its last change.
  var looks: [String: MemoryModel.Bits] = [:]
  var way = 0
  /// The atomics of which its last weak exchange failed without a reason.
  var failedWithoutReason: Set<Int> = []
  /// The number of its system thread, while it has stopped.
  var threadNumber: Int32 = 0
  /// The tasks whose status locks its system thread holds, while it has stopped.
  var statusLocks: [UInt] = []
  /// The step of the order that it was interrupted in.
  var maker: Int?
  /// The lines in which nothing else runs while it is interrupted: of actors whose turn it is.
  var turns: Set<Int> = []
  /// The thread that runs the step, if this is one.
  var carrier: Carrier?
  /// True if it has been chosen: before that, others may have to be started first.
  private var hasBegun = false
  let mayGoOn = OwnSemaphore()

  init(line: Int, number: Int, isService: Bool, carrier: Carrier? = nil, run: OrderRun) {
    self.carrier = carrier
    self.line = line
    self.number = number
    self.isService = isService
    self.run = run
  }

  /// Makes its body ready to run.
  ///
  /// - Parameters:
  ///   - threads: The pool that provides its thread.
  ///   - first: An operation that it waits for before it does anything at all; nil: it begins when it is continued.
  ///   - body: The code of the thread.
  func start(on threads: ThreadPool, before first: ThreadOperation?, _ body: @escaping @Sendable () -> Void) {
    wait(before: first)
    let body = OneThread<(@Sendable () -> Void)?>.Box(body)
    threads.run { [run] isDone in
      // What it has captured is released before the order ends.
      self.live { body.value.take()?() }
      // The next thread to run may begin the next order, and needs a thread.
      isDone()
      run.turns.handBack()
    }
  }

  func wait(before first: ThreadOperation?) {
    pending = first
    hasBegun = first != nil
  }

  /// Runs its body on the calling thread, when it is chosen.
  func live(_ body: @Sendable () -> Void) {
    mayGoOn.wait()
    run.turns.take()
    ExploredPlace.begin(run, self)
    RuntimeControl.begin(run)
    run.real.begin()
    run.watchingIssues { Scheduling.schedule(by: run, body) }
    run.endsUses()
    RuntimeControl.end()
    ExploredPlace.end()
    isOver = true
  }

  /// Continues it in one of the ways of its operation, and returns when it has stopped before the next one.
  ///
  /// Called by the thread of the order.
  func goOn(_ way: Int) {
    self.way = way
    pending = nil
    run.turns.handOver { mayGoOn.signal() }
  }

  /// Stops before an operation until it is chosen, and returns the way in which it is to be taken.
  ///
  /// Called by the thread itself.
  func take(_ operation: ThreadOperation) -> Int {
    var operation = operation
    if run.recorder.isOn { operation.callers = OrderRun.callers }
    if carrier != nil { return run.operate(self, operation) }
    if let way = run.wayInInitializer(operation) { return way }
    run.threads.acted.insert(line)
    if !operation.mayLook { looks = [:] }
    (pending, threadNumber) = (operation, rff_threadNumber())
    run.finishStep()
    run.turns.isLooking = true
    let chosen = hasBegun && run.failure == nil ? run.decide() : nil
    hasBegun = true
    run.turns.isLooking = false
    // Mostly the thread itself continues, and none has to be woken.
    if let chosen, let (thread, way) = run.threadChoice(chosen), thread === self {
      run.beginThreadStep(self, operation)
      pending = nil
      return way
    }
    let turn = (run.jobs.turn, run.jobs.served, run.jobs.isOnMainActor)
    run.turns.next = chosen
    run.turns.handBack()
    mayGoOn.wait()
    run.turns.take()
    (run.jobs.turn, run.jobs.served, run.jobs.isOnMainActor) = turn
    run.real.begin()
    return way
  }

  /// Makes the order fail, and blocks forever.
  func fail(_ text: String) -> Never { fail(.misuse(text)) }

  func fail(_ failure: OrderFailure) -> Never {
    run.thrown = failure
    run.finishStep()
    if carrier != nil {
      if run.failure == nil { run.end(with: failure) }
      run.block(self)
    }
    run.turns.handBack()
    while true { mayGoOn.wait() }
  }
}

/// Threads of one exploration, used by one order after the other.
final class ThreadPool: Sendable {
  private struct Job: Sendable {
    let body: @Sendable (_ isDone: @Sendable () -> Void) -> Void
  }

  private final class Worker: Sendable {
    let news = OwnSemaphore()
    let job: Locked<Job?>

    init(_ job: Job) { self.job = Locked(job) }
  }

  private struct Workers: Sendable {
    var idle: [Worker] = []
    var isClosed = false
  }

  private let workers = Locked(Workers())

  /// Runs a body on a thread of its own.
  ///
  /// The body calls its argument when it no longer needs the thread.
  func run(_ body: @escaping @Sendable (_ isDone: @Sendable () -> Void) -> Void) {
    if let worker = workers.withLock({ $0.idle.popLast() }) {
      worker.job.withLock { $0 = Job(body: body) }
      worker.news.signal()
      return
    }
    let worker = Worker(Job(body: body))
    OwnSemaphore.unnoticed {
      OwnThread.start { [weak self] in
        while let job = worker.job.withLock({ $0.take() }) {
          job.body {
            self?.workers.withLock { workers in
              if !workers.isClosed { workers.idle.append(worker) }
            }
          }
          if self?.workers.withLock(\.isClosed) != false { return }
          worker.news.wait()
        }
      }
    }
  }

  /// Ends all idle threads.
  func close() {
    let idle = workers.withLock { workers in
      workers.isClosed = true
      defer { workers.idle = [] }
      return workers.idle
    }
    for worker in idle { worker.news.signal() }
  }
}
