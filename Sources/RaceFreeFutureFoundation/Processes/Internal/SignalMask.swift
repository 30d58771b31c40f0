// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// Runs a body that launches a process as if the main thread did it: with the signals blocked that are blocked there.
  ///
  /// A child blocks what the thread blocks that launched it, and on Linux the threads of Dispatch block nearly all
  /// signals: TERM would not end the child, and a shell would wait for its own children for ever. That the main thread
  /// is taken as the model means that this thread gets no signal meanwhile which that one would not get: those that are
  /// blocked there stay blocked here, and of the others the system gives it the first choice.
  func withSignalsOfMainThread<T>(_ body: () throws -> T) rethrows -> T {
    #if os(Linux) || os(Android)
      var mask = sigset_t()
      var before = sigset_t()
      unsafe sigemptyset(&mask)
      // Without a /proc nothing is known, and nothing blocked.
      let blocked = blockedSignalsOfMainThread() ?? 0
      for signal in 1...63 where blocked & (1 << (signal - 1)) != 0 { unsafe sigaddset(&mask, Int32(signal)) }
      unsafe pthread_sigmask(SIG_SETMASK, &mask, &before)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    #endif
    return try body()
  }

  #if os(Linux) || os(Android)
    /// One bit a signal, as the kernel prints it.
    private func blockedSignalsOfMainThread() -> UInt64? {
      let status = try? String(contentsOfFile: "/proc/self/task/\(getpid())/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      return line.flatMap { UInt64($0.dropFirst("SigBlk:".count).trimmingCharacters(in: .whitespaces), radix: 16) }
    }
  #endif
#endif
