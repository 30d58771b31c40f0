// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Redirects all jobs of one thread to the order that it runs, instead of the executors of the process.
///
/// The hooks that it sets are shared by the whole process, so only one exploration at a time may be active. Jobs of
/// other threads aren't part of it and use their usual executors.
enum RuntimeControl {
  // The following variables are written once, before the hooks are set for the first time, and read by every thread
  // that calls them: in the middle of the runtime, so that none of them may be initialized lazily.

  /// The key under which a thread keeps the order that it runs.
  nonisolated(unsafe) private static var mark: pthread_key_t = 0
  /// The first word of every task.
  nonisolated(unsafe) private static var taskMetadata: UInt = 0
  nonisolated(unsafe) private static var previousEnqueue: RuntimeSymbols.EnqueueHook?
  nonisolated(unsafe) private static var previousMainExecutor: RuntimeSymbols.MainExecutorHook?
  nonisolated(unsafe) private static var previousAcquire: RuntimeSymbols.Sanitizer?
  nonisolated(unsafe) private static var previousRelease: RuntimeSymbols.Sanitizer?

  /// The turns of those that set the hooks.
  static let turns = Turns()

  /// The tasks that other threads resume or queue while an order runs; made before the hooks are set.
  static let touchedTasks = TouchedTasks()

  private static let prepared: Bool = {
    _ = touchedTasks.take { _ in false }
    guard let symbols = unsafe RuntimeSymbols.found else { return false }
    unsafe pthread_key_create(&mark, nil)
    unsafe previousEnqueue = symbols.enqueueHook.pointee
    unsafe previousMainExecutor = symbols.mainExecutorHook.pointee
    unsafe previousAcquire = symbols.acquire?.pointee
    unsafe previousRelease = symbols.release?.pointee
    if TaskLayout.known != nil { unsafe taskMetadata = TaskLayout.metadata }
    publish()
    return true
  }()

  /// Sets the hooks; called by the exploration that has the turn.
  static func install() {
    guard prepared, let symbols = unsafe RuntimeSymbols.found else { return }
    unsafe symbols.enqueueHook.pointee = enqueue
    unsafe symbols.mainExecutorHook.pointee = mainExecutor
    guard unsafe taskMetadata != 0 else { return }
    unsafe symbols.acquire?.pointee = began
    unsafe symbols.release?.pointee = willEnqueue
  }

  /// Restores the previous hooks; called by the exploration that has the turn, also if its thread is stuck.
  static func uninstall() {
    guard prepared, let symbols = unsafe RuntimeSymbols.found else { return }
    unsafe symbols.enqueueHook.pointee = previousEnqueue
    unsafe symbols.mainExecutorHook.pointee = previousMainExecutor
    unsafe symbols.acquire?.pointee = previousAcquire
    unsafe symbols.release?.pointee = previousRelease
  }

  /// Declares that data written before the hooks were set is visible when they are called, which ThreadSanitizer can't see:
  /// the runtime isn't instrumented.
  private static func publish() {
    #if RFF_TSAN
      unsafe tsanRelease(("RuntimeControl" as StaticString).utf8Start)
    #endif
  }

  private static func subscribe() {
    #if RFF_TSAN
      unsafe tsanAcquire(("RuntimeControl" as StaticString).utf8Start)
    #endif
  }

  /// True if calls of Dispatch and locks of the system can be driven here.
  static let drives: Bool = {
    guard rff_drivesCalls() else { return false }
    unsafe rff_setDriver { call, arguments, result in
      guard let own = RuntimeControl.own, let arguments = unsafe arguments, let result = unsafe result else {
        return false
      }
      // There are four, and one result.
      let words = unsafe Array(UnsafeBufferPointer(start: arguments, count: 4))
      return unsafe own.drives(Int(call), words, &result.pointee)
    }
    OrderRun.prepareThreads()
    return true
  }()

  /// Sets the order that runs now, on this thread.
  static func begin(_ run: OrderRun) {
    // The order is kept by its explorer until its end.
    unsafe pthread_setspecific(mark, Unmanaged.passUnretained(run).toOpaque())
    run.time.virtual?.use()
    RealUses.prepare()
    _ = drives
    rff_makeInterruptible(interrupts)
  }

  static func end() {
    rff_makeInterruptible(false)
    VirtualTime.useReal()
    unsafe pthread_setspecific(mark, nil)
  }

  /// The order that the calling thread runs.
  private static var own: OrderRun? {
    guard let run = unsafe pthread_getspecific(mark) else { return nil }
    return unsafe Unmanaged<OrderRun>.fromOpaque(run).takeUnretainedValue()
  }

  /// Returns the order and the job for a task's pointer; nil if it is something else, or on another thread.
  private static func own(_ pointer: UnsafeMutableRawPointer?) -> (OrderRun, UnownedJob)? {
    guard let own, let pointer = unsafe pointer, unsafe isTask(pointer) else { return nil }
    return unsafe (own, UnownedJob(address: pointer))
  }

  private static func isTask(_ pointer: UnsafeMutableRawPointer) -> Bool {
    unsafe UInt(bitPattern: pointer) % 16 == 0 && pointer.load(as: UInt.self) == taskMetadata
  }

  // MARK: Points of interruption

  /// True if steps can be interrupted at the entries of functions of the runtime.
  static let interrupts = rff_setInterruption { number, first, second in
    guard let own = RuntimeControl.own else { return }
    switch Int(number) {
    case 1: if second == 0 { own.cutHop(to: UInt(first)) }
    case 2, 5: own.cut("comes to a cancellation handler")
    case rff_beforeCancellation: own.cut("comes to a cancellation", mayHoldLocks: true)
    case rff_afterCancellation: own.hasCancelled()
    case rff_beforeImmediate: own.makesImmediate(UInt(first))
    case rff_afterImmediate: own.comesBack(from: UInt(first))
    case rff_mutexIsHeld: own.comesToLock(UInt(first))
    case rff_tookMutex: own.takesReal(UInt(first))
    case rff_took: own.usesReal(.lock(UInt(first)))
    case rff_asksInlined: own.usesInlined(Int(first), at: UInt(second))
    case rff_starts: own.startsElsewhere(words(first))
    case rff_waits: own.waitsElsewhere(for: words(first))
    case rff_hasWaited: own.waitsElsewhere(for: nil)
    default: own.cut("comes to a continuation")
    }
  }

  /// Returns a text that lives as long as the program.
  private static func words(_ address: UInt) -> String {
    unsafe UnsafePointer<CChar>(bitPattern: address).map { unsafe String(cString: $0) } ?? ""
  }

  // MARK: The hooks

  private static let enqueue: RuntimeSymbols.EnqueueHook = { job, original in
    subscribe()
    if let own { return own.receive(job, at: .anywhere) }
    if let previous = unsafe previousEnqueue { return previous(job, original) }
    original(job)
  }

  private static let mainExecutor: RuntimeSymbols.MainExecutorHook = { original in
    subscribe()
    if let own { return unsafe own.mainExecutor.asUnownedSerialExecutor() }
    if let previous = unsafe previousMainExecutor { return unsafe previous(original) }
    return unsafe original()
  }

  private static let began: RuntimeSymbols.Sanitizer = { pointer in
    subscribe()
    if let previous = unsafe previousAcquire { unsafe previous(pointer) }
    if let (own, job) = unsafe own(pointer) { own.jobBegins(job) }
  }

  private static let willEnqueue: RuntimeSymbols.Sanitizer = { pointer in
    subscribe()
    if let (own, job) = unsafe own(pointer) {
      own.jobWillBeEnqueued(job)
    } else if let pointer = unsafe pointer, own == nil, unsafe isTask(pointer) {
      touchedTasks.note(UInt(bitPattern: pointer))
    }
    if let previous = unsafe previousRelease { unsafe previous(pointer) }
  }
}
