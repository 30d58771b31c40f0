// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// What a thread of a scenario is about to do with something that others use as well.
struct ThreadOperation {
  let label: () -> String
  /// What it uses; nil: it may be anything.
  var touches: Set<String>?
  /// How it may be taken now.
  ///
  /// 0 is the ordinary way. None: it can't be taken.
  var ways: () -> [Int] = { [0] }
  /// Why it can't be taken, if it can't.
  var waits: () -> String = { "can't go on" }
  /// Whether a queue waits for more to do.
  var isIdle = false
  /// Whether it changes nothing.
  var isLook = false

  /// The way in which a queue that has nothing to do ends.
  static let end = -1
  /// The way in which a wait ends without a signal: nobody may rely on it.
  static let byChance = -2
}

/// A thread of a scenario: it stops before each operation on an explored primitive, until it is chosen.
///
/// Only one thread of an order runs at a time, the one that has been told to go on; all that it shares with others is handed
/// over with the semaphores. That makes it `@unchecked Sendable`.
final class ExploredThread: @unchecked Sendable {
  let line: Int
  /// Its number in the model of memory.
  let number: Int
  /// Whether it belongs to a queue: it has no end of its own.
  let isService: Bool
  /// The order is kept by its explorer until its end, and for ever if the thread hasn't come to its own.
  unowned let run: OrderRun
  /// Where it stands; nil while it runs, and when it is over.
  var pending: ThreadOperation?
  var isOver = false
  /// What it saw where it looked since it changed something.
  var looks: [String: MemoryModel.Bits] = [:]
  private(set) var way = 0
  /// Whether it has been chosen: before that, others may have to be started first.
  private var hasBegun = false
  private let mayGoOn = DispatchSemaphore(value: 0)

  init(line: Int, number: Int, isService: Bool, run: OrderRun) {
    self.line = line
    self.number = number
    self.isService = isService
    self.run = run
  }

  /// Makes its body ready to go on.
  ///
  /// - Parameters:
  ///   - threads: Where it gets a thread.
  ///   - first: An operation that it waits for before it does anything at all; nil: it begins when it is told to go on.
  ///   - body: What it does.
  func start(on threads: ThreadPool, before first: ThreadOperation?, _ body: @escaping @Sendable () -> Void) {
    pending = first
    hasBegun = first != nil
    threads.run { [run] isDone in
      self.mayGoOn.wait()
      run.holder.store(CurrentThread.key, ordering: .relaxed)
      ExploredPlace.begin(run, self)
      RuntimeControl.begin(run)
      Scheduling.schedule(by: run, body)
      RuntimeControl.end()
      ExploredPlace.end()
      self.isOver = true
      // Whoever goes on may begin the next order, and needs a thread.
      isDone()
      run.handBack()
    }
  }

  /// Has it go on in one of the ways of its operation, and returns when it stands before the next one.
  ///
  /// Called by the thread of the order.
  func goOn(_ way: Int) {
    self.way = way
    pending = nil
    run.handOver { mayGoOn.signal() }
  }

  /// Stops before an operation until it is chosen, and returns the way in which it is to be taken.
  ///
  /// Called by the thread itself.
  func take(_ operation: ThreadOperation) -> Int {
    if !operation.isLook { looks = [:] }
    pending = operation
    run.finishStep()
    run.isLooking = true
    let chosen = hasBegun && run.failure == nil ? run.decide() : nil
    hasBegun = true
    run.isLooking = false
    // Mostly it is itself that goes on, and nobody has to be woken.
    if let chosen, let (thread, way) = run.threadChoice(chosen), thread === self {
      run.beginThreadStep(self, operation)
      pending = nil
      return way
    }
    run.next = chosen
    run.handBack()
    mayGoOn.wait()
    run.holder.store(CurrentThread.key, ordering: .relaxed)
    return way
  }

  /// Has the order fail, and stays where it is for ever.
  func fail(_ text: String) -> Never {
    run.thrown = .misuse(text)
    run.finishStep()
    run.handBack()
    while true { mayGoOn.wait() }
  }
}

/// Threads of one exploration, used by one order after the other.
final class ThreadPool: Sendable {
  private final class Worker: Sendable {
    let news = DispatchSemaphore(value: 0)
    let job = Locked<(@Sendable (@Sendable () -> Void) -> Void)?>(nil)
  }

  private struct Workers: Sendable {
    var idle: [Worker] = []
    var isClosed = false
  }

  private let workers = Locked(Workers())

  /// Runs a body on a thread of its own.
  ///
  /// What the body is given says that it needs the thread no longer.
  func run(_ body: @escaping @Sendable (_ isDone: @Sendable () -> Void) -> Void) {
    if let worker = workers.withLock({ $0.idle.popLast() }) {
      worker.job.withLock { $0 = body }
      worker.news.signal()
      return
    }
    let worker = Worker()
    worker.job.withLock { $0 = body }
    OwnThread.start { [weak self] in
      while let job = worker.job.withLock({ $0.take() }) {
        job {
          self?.workers.withLock { workers in
            if !workers.isClosed { workers.idle.append(worker) }
          }
        }
        if self?.workers.withLock(\.isClosed) != false { return }
        worker.news.wait()
      }
    }
  }

  /// Lets go of all threads that do nothing.
  func close() {
    let idle = workers.withLock { workers in
      workers.isClosed = true
      defer { workers.idle = [] }
      return workers.idle
    }
    for worker in idle { worker.news.signal() }
  }
}
