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

/// The parts of the concurrency runtime that the explorer uses: exported variables, found by name.
///
/// `swift_task_enqueueGlobal_hook` and `swift_task_getMainExecutor_hook` replace the global executor and that of the
/// main actor. The two functions that the runtime calls for ThreadSanitizer, if they are set, get many events, among
/// them each job that is queued anywhere, and each that begins to run.
///
/// The variables are read and written as whole words, each by the exploration that has the turn; other threads read
/// them at any time and find the old or the new value, both of which work for them.
@unsafe struct RuntimeSymbols: @unchecked Sendable {
  typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
  typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor
  typealias Sanitizer = @convention(c) (UnsafeMutableRawPointer?) -> Void

  let enqueueHook: UnsafeMutablePointer<EnqueueHook?>
  let mainExecutorHook: UnsafeMutablePointer<MainExecutorHook?>
  /// Called when a job begins to run; nil where the runtime has no such variable.
  let acquire: UnsafeMutablePointer<Sanitizer?>?
  /// Called when a job is queued.
  let release: UnsafeMutablePointer<Sanitizer?>?

  /// The symbols of this process; nil if the runtime has no hooks.
  static let found: RuntimeSymbols? = {
    guard let enqueue = unsafe symbol("swift_task_enqueueGlobal_hook"),
      let main = unsafe symbol("swift_task_getMainExecutor_hook")
    else { return nil }
    return unsafe RuntimeSymbols(
      enqueueHook: enqueue.assumingMemoryBound(to: EnqueueHook?.self),
      mainExecutorHook: main.assumingMemoryBound(to: MainExecutorHook?.self),
      acquire: symbol("_swift_tsan_acquire")?.assumingMemoryBound(to: Sanitizer?.self),
      release: symbol("_swift_tsan_release")?.assumingMemoryBound(to: Sanitizer?.self)
    )
  }()

  /// Returns the address of an exported symbol of the program or one of its libraries.
  static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      // RTLD_DEFAULT
      unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
      unsafe dlsym(nil, name)
    #endif
  }
}

/// A job, as the explorer sees it.
///
/// The address of a task's job is that of the task.
extension UnownedJob {
  var address: UInt { unsafe UInt(bitPattern: unsafeBitCast(self, to: Int.self)) }

  init(address: UnsafeMutableRawPointer) { self = unsafe unsafeBitCast(address, to: UnownedJob.self) }

  var kind: JobKind { JobKind(rawValue: UInt8(truncatingIfNeeded: jobFlags(self))) }

  var flags: UInt32 { jobFlags(self) }
}

/// The kind of a job.
struct JobKind: Equatable {
  let rawValue: UInt8

  /// A part of a task.
  static let task = JobKind(rawValue: 0)
  /// A turn of a default actor, in which it runs its queued jobs.
  static let actorTurns: ClosedRange<UInt8> = 192...194
  /// A job that wakes a task that has yielded.
  static let wake = JobKind(rawValue: 195)

  var isActorTurn: Bool { Self.actorTurns.contains(rawValue) }
}

@_silgen_name("swift_task_getJobFlags")
private func jobFlags(_ job: UnownedJob) -> UInt32
