// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The internal layout of tasks and actors, as the explorer knows it.
///
/// The runtime guarantees none of it. It is used only where the runtime declares version 1 of its layout and where a
/// task and an actor that are made for the purpose have the expected layout (`TaskLayout.known`); elsewhere the
/// explorer works without it, and its reports say what is lost.
struct TaskLayout: Sendable {
  /// The functions that a task which hasn't begun resumes.
  let beginnings: Set<UInt>
  /// True if the names of tasks are at the expected place.
  let hasNames: Bool

  static let resume = 0x38
  /// The offset of the flags, and after them the list of the task's records.
  static let status = 0x60
  static let records = 0x68
  static let dependency = 0xA0
  /// The offset of the actor in a job that is its turn.
  static let actor = 0x40

  /// The flags in the status.
  static let (isCancelled, isLocked, isEnqueued, isComplete, isWaiting, prefersExecutor):
    (UInt, UInt, UInt, UInt, UInt, UInt) = (0x100, 0x200, 0x1000, 0x2000, 0x4000, 0x8000)
  /// A task that is behind a shield isn't cancelled for its own code, in runtimes that have shields.
  static let isShielded: UInt = 0x10000

  // MARK: Tasks

  /// Returns true if a task hasn't begun yet and has no executor that it prefers.
  func isToBeAdopted(_ task: UInt) -> Bool {
    Self.preferredExecutor(of: task) ?? 0 == 0 && beginnings.contains(Self.word(task, Self.resume))
  }

  /// Makes a task that hasn't begun prefer an executor, as if it had been made with it.
  ///
  /// Then each of its hops is a job, instead of being made immediately where nothing prevents it. No other code knows
  /// the task yet, so its list of records can be changed.
  ///
  /// - Returns: The record in which that is written; nil: it was the task's own, which named none (`Task.immediate`).
  static func adopt(_ task: UInt, by executor: UnownedTaskExecutor) -> ExecutorRecord? {
    let (identity, implementation) = unsafe unsafeBitCast(executor, to: (UInt, UInt).self)
    if let own = preference(of: task) {
      write(identity, own, 0x18)
      write(implementation, own, 0x20)
      return nil
    }
    let record = ExecutorRecord(words: [kindOfRecord, word(task, records), 0, identity, implementation])
    write(record.address, task, records)
    write(word(task, status) | prefersExecutor, task, status)
    return record
  }

  /// Removes the record of a task that has ended from its list.
  static func release(_ task: UInt, _ record: ExecutorRecord) {
    guard word(task, records) == record.address else { return }
    write(word(record.address, 8), task, records)
    write(word(task, status) & ~prefersExecutor, task, status)
  }

  static let kindOfRecord: UInt = 5

  /// A task's record of the executor that it prefers; its memory is freed with it.
  @safe final class ExecutorRecord {
    let address: UInt
    private let memory: UnsafeMutablePointer<UInt>

    fileprivate init(words: [UInt]) {
      unsafe memory = UnsafeMutablePointer.allocate(capacity: words.count)
      for (index, word) in words.enumerated() { unsafe (memory + index).initialize(to: word) }
      address = unsafe UInt(bitPattern: memory)
    }

    deinit { unsafe memory.deallocate() }
  }

  /// Returns the identity of the executor that a task prefers; nil if it prefers none.
  static func preferredExecutor(of task: UInt) -> UInt? { preference(of: task).map { word($0, 0x18) } }

  private static func preference(of task: UInt) -> UInt? {
    guard word(task, status) & prefersExecutor != 0 else { return nil }
    var record = word(task, records)
    while record != 0 {
      if word(record, 0) & 0xFF == kindOfRecord { return record }
      record = word(record, 8)
    }
    return nil
  }

  /// Returns the identity of an executor, as records have it.
  static func identity(of executor: UnownedTaskExecutor) -> UInt {
    unsafe unsafeBitCast(executor, to: (UInt, UInt).self).0
  }

  /// Returns true if a task has been cancelled.
  static func isCancelled(_ task: UInt) -> Bool { word(task, status) & (isCancelled | isShielded) == isCancelled }

  /// Returns true if a thread holds the lock of a task's records: it calls the cancellation handlers under it.
  static func isLocked(_ task: UInt) -> Bool { word(task, status) & isLocked != 0 }

  /// Returns true if a task has ended.
  static func isComplete(_ task: UInt) -> Bool { word(task, status) & isComplete != 0 }

  /// Returns true if a task is queued somewhere.
  static func isEnqueued(_ task: UInt) -> Bool { word(task, status) & isEnqueued != 0 }

  /// The thing that a suspended task waits for.
  enum Wait: Equatable {
    case task(UInt)
    case continuation
    case group
    case unknown
  }

  static func wait(of task: UInt) -> Wait {
    guard word(task, status) & isWaiting != 0 else { return .unknown }
    let record = word(task, dependency)
    guard record != 0 else { return .unknown }
    return switch word(record, 0x20) & 0xFF {
    case 1: .task(word(record, 0x10))
    case 2: .continuation
    case 3: .group
    default: .unknown
    }
  }

  // MARK: Actors

  /// The place where a task is queued, or is about to be.
  enum Destination {
    case defaultActor(AnyObject)
    case customExecutor(UInt)
    case anywhere
  }

  static func destination(of task: UInt) -> Destination? {
    let record = word(task, dependency)
    guard word(task, status) & isWaiting != 0, record != 0, word(record, 0x20) & 0xFF == 4 else { return nil }
    guard let identity = unsafe UnsafeRawPointer(bitPattern: word(record, 0x10)) else { return .anywhere }
    guard word(record, 0x18) == 0 else { return .customExecutor(UInt(bitPattern: identity)) }
    // The task that is about to call it keeps it.
    return .defaultActor(unsafe Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue())
  }

  /// Returns the actor whose turn a job is.
  static func actor(ofTurn job: UnownedJob) -> AnyObject? {
    guard let actor = unsafe UnsafeRawPointer(bitPattern: word(job.address, actor)) else { return nil }
    // The job keeps it.
    return unsafe Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()
  }

  // MARK: Check of the layout

  /// What was found out about a runtime.
  enum Finding: Sendable {
    /// It has the layout that this was written for.
    case known(TaskLayout)
    /// It has another one, although it is a system where this one would be expected.
    case other
    /// It can't be asked: on other systems, and in programs that contain the runtime without the names of its variables.
    case unknown
  }

  /// The layout of this runtime; nil if it isn't the one that this was written for.
  static let known: TaskLayout? = if case .known(let layout) = finding { layout } else { nil }

  /// What was found out about this runtime, before any part of a task is used.
  static let finding = unsafe find(
    version: RuntimeSymbols.symbol("_swift_concurrency_debug_internal_layout_version")?.load(as: UInt32.self),
    beginnings
  )

  /// Compares the layout of tasks, and that of actors' turns, with the expected one.
  ///
  /// - Parameters:
  ///   - version: The version that the runtime declares; nil if it doesn't.
  ///   - beginnings: The functions that a task which hasn't begun resumes, if they are found.
  ///   - places: The offsets to try.
  /// - Returns: What was found out.
  static func find(version: UInt32?, _ beginnings: Set<UInt>?, _ places: Places = .expected) -> Finding {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      guard let version else { return .unknown }
      guard version == 1, let beginnings, let layout = TaskProbe.run(beginnings, places) else { return .other }
      return .known(layout)
    #else
      return .unknown
    #endif
  }

  /// The offsets that are checked; a test of the check moves one.
  struct Places: Sendable {
    var resume = TaskLayout.resume
    var status = TaskLayout.status
    var records = TaskLayout.records
    var dependency = TaskLayout.dependency
    var actor = TaskLayout.actor

    static let expected = Places()
  }

  static let beginnings: Set<UInt>? = {
    let names = ["_swift_concurrency_debug_future_adapter", "_swift_concurrency_debug_non_future_adapter"]
    let addresses = names.compactMap { unsafe RuntimeSymbols.symbol($0)?.load(as: UInt.self) }
    return addresses.count == names.count ? Set(addresses) : nil
  }()

  /// The first word of every task.
  static var metadata: UInt {
    unsafe RuntimeSymbols.symbol("_swift_concurrency_debug_asyncTaskMetadata")?.load(as: UInt.self) ?? 0
  }

  static func word(_ address: UInt, _ offset: Int) -> UInt {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    return unsafe pointer.load(fromByteOffset: offset, as: UInt.self)
  }

  private static func write(_ word: UInt, _ address: UInt, _ offset: Int) {
    if let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) {
      unsafe pointer.storeBytes(of: word, toByteOffset: offset, as: UInt.self)
    }
  }

  static func resumes(_ job: UnownedJob) -> UInt { word(job.address, resume) }
}
