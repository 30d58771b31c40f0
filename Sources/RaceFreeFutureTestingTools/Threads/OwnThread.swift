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

/// Threads of a test's own.
///
/// A blocked or spinning thread of the shared pool would starve every task with it, so no code of this module waits on
/// one.
package enum OwnThread {
  /// Starts a thread and doesn't wait for it.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    // The thread takes over the reference that is made here.
    let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin) || canImport(Musl)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = unsafe pthread_create(&thread, nil, { unsafe runStart($0) }, start)
    guard failure == 0 else { fatalError("the system has no thread left for a test: error \(failure)") }
    #if canImport(Darwin) || canImport(Musl)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Runs a block on a thread of its own and suspends until it has returned.
  static func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: body()) }
    }
  }

  fileprivate final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

// Argument and result are optional on some systems only. The result is that of a detached thread: it isn't read.
private func runStart(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
  guard let start = unsafe start else { fatalError("a thread has started without its argument") }
  unsafe Unmanaged<OwnThread.Start>.fromOpaque(start).takeRetainedValue().body()
  return unsafe start
}
