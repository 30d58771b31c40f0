// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Has all jobs of one thread come to the order that it runs, instead of the executors of the process.
///
/// What it sets is shared by the whole process, so only one exploration at a time may be inside. Jobs of other threads
/// belong to somebody else and go where they always go.
enum RuntimeControl {
  /// Whose jobs those of the conducted thread are: used by that thread only.
  nonisolated(unsafe) private static var receiver: OrderRun?
  /// The thread of the order that runs; 0: none.
  ///
  /// A plain word without a lazy initializer, because each thread looks at it in the middle of the runtime: whatever it
  /// finds, only the thread itself has written its own identity there.
  nonisolated(unsafe) private static var thread: UInt = 0
  /// The first word of every task.
  nonisolated(unsafe) private static var taskMetadata: UInt = 0
  /// What was set before: written by the one who has the turn, before the hooks are set.
  nonisolated(unsafe) private static var previous = unsafe Previous()

  @unsafe private struct Previous {
    var enqueue: RuntimeSymbols.EnqueueHook?
    var mainExecutor: RuntimeSymbols.MainExecutorHook?
  }

  /// Sets the hooks; called by the exploration that has the turn.
  static func install() {
    guard let symbols = unsafe RuntimeSymbols.found else { return }
    // Looked up before the hooks are set.
    let isKnown = TaskLayout.known != nil
    unsafe previous = Previous(
      enqueue: symbols.enqueueHook.pointee,
      mainExecutor: symbols.mainExecutorHook.pointee
    )
    unsafe symbols.enqueueHook.pointee = enqueue
    unsafe symbols.mainExecutorHook.pointee = mainExecutor
    // Where ThreadSanitizer is at work it needs them itself.
    if isKnown, unsafe symbols.acquire?.pointee == nil, unsafe symbols.release?.pointee == nil {
      unsafe taskMetadata = TaskLayout.metadata
      unsafe symbols.acquire?.pointee = began
      unsafe symbols.release?.pointee = willEnqueue
    }
  }

  /// Puts back what was there; called by the exploration that has the turn, also if its thread is stuck.
  static func uninstall() {
    guard let symbols = unsafe RuntimeSymbols.found else { return }
    unsafe symbols.enqueueHook.pointee = previous.enqueue
    unsafe symbols.mainExecutorHook.pointee = previous.mainExecutor
    if unsafe taskMetadata != 0 {
      unsafe symbols.acquire?.pointee = nil
      unsafe symbols.release?.pointee = nil
    }
  }

  /// Whose order runs now, on this thread.
  static func begin(_ run: OrderRun) {
    unsafe receiver = run
    unsafe thread = currentThread
  }

  static func end(_ run: OrderRun) {
    // A thread that was stuck comes here when another one has begun.
    guard unsafe thread == currentThread else { return }
    unsafe thread = 0
    unsafe receiver = nil
  }

  private static var currentThread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// The job of a task that the runtime tells this thread's order of; nil if it is something else.
  private static func ownTask(_ pointer: UnsafeMutableRawPointer?) -> UnownedJob? {
    guard unsafe thread != 0, unsafe thread == currentThread, let pointer = unsafe pointer,
      UInt(bitPattern: pointer) % 16 == 0, unsafe pointer.load(as: UInt.self) == taskMetadata
    else { return nil }
    return unsafe UnownedJob(address: pointer)
  }

  private static var own: OrderRun? {
    Conducting.isOnConductedThread ? unsafe receiver : nil
  }

  // MARK: The hooks

  private static let enqueue: RuntimeSymbols.EnqueueHook = { job, original in
    if let own { return own.receive(job, at: .anywhere) }
    if let previous = unsafe previous.enqueue { return previous(job, original) }
    original(job)
  }

  private static let mainExecutor: RuntimeSymbols.MainExecutorHook = { original in
    if let own { return unsafe own.mainExecutor.asUnownedSerialExecutor() }
    if let previous = unsafe previous.mainExecutor { return unsafe previous(original) }
    return unsafe original()
  }

  private static let began: RuntimeSymbols.Sanitizer = { job in
    if let job = unsafe ownTask(job) { unsafe receiver?.jobBegins(job) }
  }

  private static let willEnqueue: RuntimeSymbols.Sanitizer = { job in
    if let job = unsafe ownTask(job) { unsafe receiver?.jobWillBeEnqueued(job) }
  }
}
