// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// The real locks, queues, groups and semaphores of an order that the explorer drives, by their addresses.
///
/// A lock is one from its first use in the order on. An object of Dispatch is one if code of the order has made it: what
/// others made before may be in use by them. Objects are kept to the end of the order, so that an address stays its own.
struct DrivenObjects {
  /// What an attribute of a queue says.
  struct Attribute {
    var isConcurrent: Bool
    var isInactive = false
  }

  var locks: [UInt: DrivenLock] = [:]
  var conditions: [UInt: DrivenCondition] = [:]
  var readWriteLocks: [UInt: DrivenReadWriteLock] = [:]
  var semaphores: [UInt: DrivenSemaphore] = [:]
  var groups: [UInt: DrivenGroup] = [:]
  var queues: [UInt: DrivenQueue] = [:]
  var blocks: [UInt: DrivenBlock] = [:]
  var sources: [UInt: DrivenSource] = [:]
  /// The repeating timers that fire again with what comes later in the order's time, or when nothing else can continue.
  var resting: [DrivenSource] = []
  /// The number of repeating timers that are set.
  var repeating = 0
  var threads: [UInt: (thread: ExploredThread, identity: ExploredIdentity)] = [:]
  var attributes: [UInt: Attribute] = [:]
  /// The waits for conditions of libraries.
  var waits: Set<Int32> = []
  /// The initializers that run, by the addresses of what notes that they have, with the numbers of their threads.
  var initializers: [UInt: Int32] = [:]
  /// The queues on which each thread runs, by its line, the innermost last.
  var stacks: [Int: [DrivenQueue]] = [:]
  /// The objects of Dispatch, which are retained.
  private var kept: [UInt] = []

  /// Keeps an object of Dispatch to the end of the order.
  mutating func keep(_ object: UInt) {
    rff_retainObject(object)
    kept.append(object)
  }

  /// Releases the objects, and gives back the real locks whose threads never will.
  fileprivate func letGo() {
    for wait in waits { rff_endWait(wait) }
    for lock in locks.values { lock.giveBack() }
    for lock in readWriteLocks.values { lock.giveBack() }
    for semaphore in semaphores.values { semaphore.giveBack() }
    for source in sources.values { source.dropHandlers() }
    for source in sources.values { source.letGo() }
    for object in kept {
      // Somebody keeps it for the next order as well: one for all, such as a static property.
      if rff_hasOtherOwners(object), let kind = kind(of: object) {
        Self.lasting.withLock { $0[object] = kind }
      } else {
        rff_releaseObject(object)
      }
    }
  }

  /// An object that outlives the order in which it was made, and stays retained.
  enum Lasting {
    case semaphore, group
    case queue(DrivenQueue.Kind, target: UInt)
  }

  static let lasting = Locked<[UInt: Lasting]>([:])

  private func kind(of object: UInt) -> Lasting? {
    if semaphores[object] != nil { return .semaphore }
    if groups[object] != nil { return .group }
    return queues[object].map { .queue($0.kind, target: $0.chain.dropFirst().first?.address ?? 0) }
  }
}

extension OrderRun {
  /// Releases everything of a real object.
  func letGoOfDriven() {
    leavesInitializers()
    let all = driven
    // What is released may run code.
    driven = DrivenObjects()
    all.letGo()
  }

  /// Returns the identity of a real object that is new in the order, with the place in the user's code where it was made or
  /// used first: in an order that is drawn.
  func drivenIdentity(_ kind: String, label: String? = nil) -> ExploredIdentity {
    let callers = recorder.isOn ? Self.callers : []
    return ExploredIdentity(kind, label: label) {
      // In parentheses elsewhere.
      String(SymbolTable.place(of: callers).dropFirst(2).dropLast())
    }
  }

  /// Runs the user's code inside of a call that is driven.
  static func asUser<Result>(_ body: () -> Result) -> Result {
    let was = rff_setBusy(false)
    defer { _ = rff_setBusy(was) }
    return body()
  }

  // MARK: Waiting

  /// A time at which a wait ends, in the time of the order.
  final class DrivenTimer: @unchecked Sendable {
    // Used by the one thread of an order that runs, which makes it `@unchecked Sendable`.
    fileprivate(set) var isOver = false
    fileprivate var timer: ScheduledTimer?
  }

  /// Starts a timer, which may do something when it fires.
  func startTimer(
    after nanoseconds: Int64,
    _ name: String,
    _ fire: @escaping () -> Void = {}
  ) -> DrivenTimer {
    let result = DrivenTimer()
    let timer = ScheduledTimer(interval: .nanoseconds(max(0, nanoseconds)), name: name)
    result.timer = timer
    let fire = OneThread(fire)
    noteTime()
    uses(.timers)
    trail.usesSomethingNew()
    lines.withLock {
      $0.start(timer) {
        result.isOver = true
        fire.value()
      }
    }
    return result
  }

  func stop(_ timer: DrivenTimer?) {
    if let timer = timer?.timer { stop(timer) }
  }

  /// Has the running code wait until it can go on.
  ///
  /// - Parameters:
  ///   - place: Where it runs.
  ///   - label: The call, in the diagram.
  ///   - identity: What it uses.
  ///   - delay: The nanoseconds after which it gives up; nil: it doesn't.
  ///   - reason: The reason that it can't go on, if it can't.
  ///   - isReady: Returns true if it can.
  /// - Returns: False if the time was over before.
  func wait(
    _ place: ExploredPlace,
    _ label: String,
    _ identity: ExploredIdentity,
    for delay: Int64? = nil,
    _ reason: @escaping () -> String,
    isReady: @escaping () -> Bool
  ) -> Bool {
    guard let thread = place.thread else {
      if isReady() { return true }
      if delay == nil { cannotWait("\(currentStep) \(reason()), and nobody else acts before it is over") }
      return false
    }
    identity.isUsed(by: thread)
    var operation = ThreadOperation(label: { label }, touches: identity.waits, waits: reason)
    guard let delay else {
      operation.ways = { isReady() ? [0] : [] }
      _ = thread.take(operation)
      return true
    }
    operation.touches?.add(.timers, .write)
    operation.mayLook = true
    _ = thread.take(operation)
    if isReady() {
      thread.looks = [:]
      return true
    }
    guard delay > 0 else {
      note(look: identity.name, 0, by: thread)
      note("timed out")
      return false
    }
    let timer = startTimer(after: delay, title(of: thread.line))
    operation = ThreadOperation(label: { "continues after \(label)" }, touches: operation.touches, waits: reason)
    operation.ways = { (isReady() ? [0] : []) + (timer.isOver ? [1] : []) }
    let way = thread.take(operation)
    stop(timer)
    if way == 1 { note("timed out") }
    return way == 0
  }

  /// Has the running code sleep.
  func sleep(_ place: ExploredPlace, _ nanoseconds: Int64) {
    guard let thread = place.thread else { return }
    let timers = Footprint(.timers, .write)
    _ = thread.take(ThreadOperation(label: { "sleeps" }, touches: timers))
    let timer = startTimer(after: nanoseconds, title(of: thread.line))
    var awakes = ThreadOperation(label: { "continues after its sleep" }, touches: timers)
    awakes.touches?.mayWait = true
    awakes.ways = { timer.isOver ? [0] : [] }
    awakes.waits = { "sleeps" }
    _ = thread.take(awakes)
  }
}

/// Work that code has passed to Dispatch: a block, or a function with its argument.
///
/// Used by the one thread of an order that runs: that makes it `@unchecked Sendable`.
final class HandedWork: @unchecked Sendable {
  private enum Code {
    case block(UInt)
    /// One that its caller keeps, and which mustn't be copied.
    case borrowed(UInt)
    case function(UInt, UInt)
    /// The explorer's own code.
    case own(() -> Void)
  }

  private let code: Code
  var onEnd: () -> Void = {}
  /// What the thread knew that has passed it.
  let released: MemoryModel.Knowledge

  private init(_ code: Code, _ place: ExploredPlace) {
    self.code = code
    released = place.run.threads.memory.release(by: place.thread?.number ?? 0)
  }

  convenience init(block: UInt, _ place: ExploredPlace) { self.init(.block(rff_copyBlock(block)), place) }

  convenience init(borrowing block: UInt, _ place: ExploredPlace) { self.init(.borrowed(block), place) }

  convenience init(function: UInt, _ argument: UInt, _ place: ExploredPlace) {
    self.init(.function(function, argument), place)
  }

  convenience init(_ place: ExploredPlace, own body: @escaping () -> Void) { self.init(.own(body), place) }

  deinit { if case .block(let block) = code { rff_releaseBlock(block) } }

  /// The address of its block.
  var block: UInt? {
    switch code {
    case .block(let block), .borrowed(let block): block
    case .function, .own: nil
    }
  }

  func run(_ argument: Int = 0) {
    switch code {
    case .block(let block), .borrowed(let block): OrderRun.asUser { rff_runBlock(block, UInt(argument)) }
    case .function(let function, let first): OrderRun.asUser { rff_runFunction(function, first, UInt(argument)) }
    case .own(let body): body()
    }
    onEnd()
  }
}
