// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Checks that tasks and actors have the layout that the explorer expects.
///
/// Runs on the thread that explores, before the hooks are set: all of its tasks have an executor of their own. It changes
/// nothing, and follows a pointer only to memory that can be read, so that another layout is found out without a crash.
enum TaskProbe {
  /// Returns the layout, if the offsets and all that is expected behind them are right.
  static func run(_ beginnings: Set<UInt>, _ places: TaskLayout.Places) -> TaskLayout? {
    let (executor, subject) = (ProbeExecutor(), ProbeActor())
    let task = Task(name: "probe", executorPreference: executor, priority: .medium) { await subject.visit() }
    defer {
      // It comes to its end in any case.
      while executor.runFirst() {}
      withExtendedLifetime((task, subject)) {}
    }
    guard let job = executor.first, job.kind == .task else { return nil }
    let address = job.address
    guard TaskLayout.word(address, 0) == TaskLayout.metadata,
      beginnings.contains(TaskLayout.word(address, places.resume)),
      has([TaskLayout.isEnqueued, TaskLayout.prefersExecutor], without: TaskLayout.isComplete, address, places),
      TaskLayout.word(address, places.status) & 0xFF == UInt(TaskPriority.medium.rawValue),
      prefers(address, executor, places)
    else { return nil }
    let hasNames = TaskLayout.name(of: address) == "probe"
    _ = executor.runFirst()
    // It hops to the actor, which requests a turn.
    guard let turn = executor.first, turn.kind.isActorTurn,
      TaskLayout.word(turn.address, places.actor) == identity(of: subject),
      has([TaskLayout.isWaiting], without: TaskLayout.isComplete, address, places),
      waits(address, for: subject, places)
    else { return nil }
    // It may end there, or come back first.
    while executor.runFirst() {}
    guard has([TaskLayout.isComplete], without: TaskLayout.isEnqueued, address, places) else { return nil }
    return TaskLayout(beginnings: beginnings, hasNames: hasNames)
  }

  private static func has(_ flags: [UInt], without other: UInt, _ task: UInt, _ places: TaskLayout.Places) -> Bool {
    let status = TaskLayout.word(task, places.status)
    return flags.allSatisfy { status & $0 != 0 } && status & other == 0
  }

  /// Returns true if the list of a task has a record that it prefers this executor.
  private static func prefers(_ task: UInt, _ executor: AnyObject, _ places: TaskLayout.Places) -> Bool {
    var record = TaskLayout.word(task, places.records)
    for _ in 0..<16 where isRecord(record) {
      if TaskLayout.word(record, 0) & 0xFF == TaskLayout.kindOfRecord {
        return TaskLayout.word(record, 0x18) == identity(of: executor)
      }
      record = TaskLayout.word(record, 8)
    }
    return false
  }

  /// Returns true if the record of what a task waits for names this actor.
  private static func waits(_ task: UInt, for actor: AnyObject, _ places: TaskLayout.Places) -> Bool {
    let record = TaskLayout.word(task, places.dependency)
    return isRecord(record) && TaskLayout.word(record, 0x10) == identity(of: actor)
      && TaskLayout.word(record, 0x18) == 0 && TaskLayout.word(record, 0x20) & 0xFF == 4
  }

  private static func identity(of object: AnyObject) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Returns true if this is the address of five words that can be read.
  ///
  /// The system copies them into a pipe: it fails where a program would crash.
  private static func isRecord(_ address: UInt) -> Bool {
    guard address % 8 == 0, let start = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    var ends: [CInt] = [0, 0]
    // Writes the two descriptors.
    guard unsafe pipe(&ends) == 0 else { return false }
    defer { for end in ends { close(end) } }
    let bytes = 5 * MemoryLayout<UInt>.size
    return unsafe write(ends[1], start, bytes) == bytes
  }

  private actor ProbeActor {
    private var visits = 0
    func visit() { visits += 1 }
  }
}
