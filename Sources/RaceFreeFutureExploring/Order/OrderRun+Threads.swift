// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

// MARK: - Threads of a scenario

extension OrderRun {
  /// Adds a thread, which runs up to its first operation.
  func startThread(on line: Int, _ body: @escaping @Sendable () -> Void) {
    addThread(on: line, isService: false, by: nil, before: nil, body).goOn(0)
  }

  /// Adds the thread of a queue, which waits for work.
  func addService(
    _ title: String,
    by creator: ExploredThread?,
    before first: ThreadOperation,
    _ body: @escaping @Sendable () -> Void
  ) -> ExploredThread {
    addThread(on: addLine(title), isService: true, by: creator, before: first, body)
  }

  /// Adds a thread that the running code has made, which runs by itself when it is chosen.
  func addMade(by creator: ExploredThread?, before first: ThreadOperation) -> ExploredThread {
    let number = threads.memory.addThread(by: creator?.number ?? 0)
    let thread = ExploredThread(line: addLine("thread"), number: number, isService: false, run: self)
    threads.all.append(thread)
    threads.byLine[thread.line] = thread
    thread.wait(before: first)
    return thread
  }

  private func addThread(
    on line: Int,
    isService: Bool,
    by creator: ExploredThread?,
    before first: ThreadOperation?,
    _ body: @escaping @Sendable () -> Void
  ) -> ExploredThread {
    let number = threads.memory.addThread(by: creator?.number ?? 0)
    let thread = ExploredThread(line: line, number: number, isService: isService, run: self)
    threads.all.append(thread)
    threads.byLine[line] = thread
    thread.start(on: turns.pool, before: first, body)
    return thread
  }

  /// Returns the thread, and the way of its operation, that a choice represents; nil if it is a line of other work.
  func threadChoice(_ choice: Int) -> (thread: ExploredThread, way: Int)? {
    if let thread = threads.byLine[choice] { return (thread, 0) }
    return threads.ways[choice]
  }

  /// Returns true if one of the choices is another way of an operation.
  func hasWays(_ choices: [Int]) -> Bool {
    !threads.ways.isEmpty && choices.contains { threads.ways[$0] != nil }
  }

  /// Returns the line that runs after a choice.
  func actor(of choice: Int) -> Int { threads.ways[choice]?.thread.line ?? choice }

  /// The lines of the threads that may continue.
  var readyThreads: [Int] {
    threads.all.filter { $0.pending.map { !$0.ways().isEmpty } ?? false }.map(\.line)
  }

  /// Returns the same choices, with all ways in which threads among them may continue, the ordinary ones first.
  func withWays(_ choices: [Int]) -> [Int] {
    var (ordinary, others): ([Int], [Int]) = ([], [])
    for choice in choices {
      guard let thread = threads.byLine[choice] else {
        ordinary.append(choice)
        continue
      }
      for way in thread.pending?.ways() ?? [] {
        if way == 0 { ordinary.append(choice) } else { others.append(line(of: way, of: thread)) }
      }
    }
    // No thread may wait for an event that only comes by chance.
    let mayGoOn = !ordinary.isEmpty || others.contains { threads.ways[$0]?.way != ThreadOperation.byChance }
    return mayGoOn ? ordinary + others : []
  }

  private func line(of way: Int, of thread: ExploredThread) -> Int {
    if let known = threads.lineOfWay[[thread.line, way]] { return known }
    let line = addLine("\(title(of: thread.line)), in another way")
    threads.lineOfWay[[thread.line, way]] = line
    threads.ways[line] = (thread, way)
    trail.ways[line] = thread.line
    return line
  }

  func stepThread(_ choice: Int) -> Bool {
    guard let (thread, way) = threadChoice(choice), let operation = thread.pending else { return false }
    beginThreadStep(thread, operation)
    thread.goOn(way)
    finishStep()
    return true
  }

  func beginThreadStep(_ thread: ExploredThread, _ operation: ThreadOperation) {
    fairness.acts(thread.line)
    // A label depends only on the values with which the operation was made.
    let label = OneThread(operation.label)
    beginStep(thread.line, WorkLines.Item(label: { label.value() }, run: {}))
    recorder.callers = operation.callers
    callsBegin(on: thread.line)
  }

  /// True if a thread is inside a critical section.
  var isInCriticalSection: Bool { threads.locks.values.contains { !$0.isEmpty } }

  /// Notes that a thread read a value; a thread that reads the same value again at once waits in a loop.
  func note(look name: String, _ value: MemoryModel.Bits, by thread: ExploredThread) {
    if thread.looks[name] == value { fairness.yields(thread.line) }
    thread.looks[name] = value
  }

  /// Notes that work was queued: if a thread did it, its order among the work of others matters.
  func notesSharing() {
    if taskScenario == nil, isOwnThread, running.map({ threads.byLine[$0] != nil }) ?? false { sharesMore = true }
  }

  // MARK: The end

  /// The threads that will never end.
  var stuckThreads: [ExploredThread] { threads.all.filter { !$0.isOver && !isIdle($0) } }

  /// Returns true if a thread of a queue has no work.
  private func isIdle(_ thread: ExploredThread) -> Bool {
    thread.isService && thread.pending?.isIdle == true && thread.pending?.ways().isEmpty == true
  }

  /// Ends the threads of queues, which wait for more work.
  func endServices() {
    for thread in threads.all where !thread.isOver && isIdle(thread) { thread.goOn(ThreadOperation.end) }
  }

  /// Ends the exploration, because the calling step waits for something that can't come: no other actor acts while it
  /// is taken.
  func cannotWait(_ text: String) -> Never { cannotWait(.misuse(text)) }

  func cannotWait(_ failure: OrderFailure) -> Never {
    // The task that waits for the report isn't part of the order.
    RuntimeControl.end()
    driver?.giveUp(self, failure)
    let never = OwnSemaphore()
    while true { never.wait() }
  }
}
