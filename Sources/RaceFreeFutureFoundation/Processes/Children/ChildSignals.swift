// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// True if the system discards the exit status of children, because this program ignores the signal CHLD.
  func childSignalIsIgnored() -> Bool {
    var action = sigaction()
    guard unsafe sigaction(SIGCHLD, nil, &action) == 0 else { return false }
    return address(action.handler) == address(SIG_IGN) || action.sa_flags & Int32(SA_NOCLDWAIT) != 0
  }

  /// Runs a body that launches a process, so that signals reach the child as they would reach it from a shell.
  ///
  /// A child inherits two things that it shouldn't: the signals that the launching thread blocks, and those that the
  /// program ignores. Foundation has no option to start it with others, so they are changed around the launch, on
  /// Linux; elsewhere the body just runs. One launch at a time.
  func withSignalsForChild<T>(_ body: () throws -> T) rethrows -> T {
    #if os(Linux) || os(Android)
      let blocked = blockedSignals { signalsOfMainThread("SigBlk") }
      let ignored = signalsOfMainThread("SigIgn").subtracting(blocked).subtracting(inherited)
      return try withHandlers(for: ignored) { try withMask(blocked, body) }
    #else
      return try body()
    #endif
  }

  #if os(Linux) || os(Android)
    /// Blocks on this thread the signals that the main thread blocks, and no others.
    ///
    /// The threads of Dispatch block nearly all signals: TERM would not end the child, and a shell would wait for its
    /// own children forever. The mask of the main thread is used, not the empty mask, so that this thread gets no
    /// signal meanwhile that the main thread wouldn't get: a program that blocks a signal everywhere, to wait for it
    /// with `sigwait` or a signal descriptor, would lose it here, or die of it. All other signals the system delivers
    /// to the main thread first.
    func withMask<T>(_ blocked: Set<Int32>, _ body: () throws -> T) rethrows -> T {
      var mask = sigset_t()
      var before = sigset_t()
      unsafe sigemptyset(&mask)
      for signal in blocked { unsafe sigaddset(&mask, signal) }
      unsafe pthread_sigmask(SIG_SETMASK, &mask, &before)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
      return try body()
    }

    /// Returns the signals that the program blocks on the main thread, without those that the C library and Dispatch
    /// block for moments.
    ///
    /// While a thread starts another one, and when it calls `dispatchMain()`, it blocks everything that can be blocked.
    /// A child that began like that could only be killed. A mask that lasts is what the program wants, unless the C
    /// library blocks signals of its own, which no other code can: then the thread is at its end.
    func blockedSignals(of mainThread: () -> Set<Int32>) -> Set<Int32> {
      for _ in 0..<100 {
        let blocked = mainThread()
        if !blocked.isSuperset(of: blockedForMoments) { return blocked }
        usleep(100)
      }
      let blocked = mainThread()
      return blocked.contains(32) ? [] : blocked
    }

    /// The smallest set that is blocked for moments: by Dispatch, which leaves out the signals of faults.
    private let blockedForMoments = Set<Int32>(1...31)
      .subtracting([SIGKILL, SIGSTOP, SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF])

    /// Gives signals that are ignored a handler that does nothing.
    ///
    /// A new program inherits that a signal is ignored, but not a handler: there the signal has its default again. For
    /// this program nothing changes, as it would with the default: a signal that arrives meanwhile still has no effect.
    /// It may interrupt a system call, which is restarted or fails with EINTR, as with any handler. Two things remain.
    /// A child that other code launches in these moments starts with defaults, too. And code that sets the action of
    /// such a signal at the same time wins: the action found at the end is restored unless it is ours.
    ///
    /// None of them may be blocked by the main thread: a signal that code waits for would be discarded when it is
    /// ignored again.
    private func withHandlers<T>(for ignored: Set<Int32>, _ body: () throws -> T) rethrows -> T {
      var nothing = sigaction()
      nothing.handler = { _ in }
      nothing.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
      unsafe sigemptyset(&nothing.sa_mask)
      var ignore = sigaction()
      ignore.handler = SIG_IGN
      // Some signals are reserved by the C library, which refuses.
      let replaced = ignored.filter { replace(ignore, by: nothing, for: $0) }
      defer { for signal in replaced { _ = replace(nothing, by: ignore, for: signal) } }
      return try body()
    }

    /// Sets the action of a signal if it is the expected one; otherwise leaves or restores the action that other code
    /// set.
    ///
    /// - Returns: True if the action was the expected one.
    private func replace(_ expected: sigaction, by new: sigaction, for signal: Int32) -> Bool {
      var new = new
      var found = sigaction()
      guard unsafe sigaction(signal, &new, &found) == 0 else { return false }
      if address(found.handler) == address(expected.handler) { return true }
      unsafe sigaction(signal, &found, nil)
      return false
    }

    /// The signals that are ignored for children, too: by `nohup`, and by programs that control a terminal.
    private let inherited: Set<Int32> = [SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU]

    /// Returns the signals of a set, printed by the kernel as a bit each; none without a /proc.
    private func signalsOfMainThread(_ name: String) -> Set<Int32> {
      let bits = statusOfMainThread(name).flatMap { UInt64($0, radix: 16) } ?? 0
      return Set((1...64).filter { bits & (1 << ($0 - 1)) != 0 })
    }
  #endif

  extension sigaction {
    /// The handler function, whose name differs between systems.
    fileprivate var handler: (@convention(c) (Int32) -> Void)? {
      get {
        #if canImport(Darwin)
          unsafe __sigaction_u.__sa_handler
        #elseif canImport(Glibc)
          unsafe __sigaction_handler.sa_handler
        #elseif canImport(Musl)
          unsafe __sa_handler.sa_handler
        #else
          unsafe sa_handler
        #endif
      }
      set {
        #if canImport(Darwin)
          unsafe __sigaction_u.__sa_handler = newValue
        #elseif canImport(Glibc)
          unsafe __sigaction_handler.sa_handler = newValue
        #elseif canImport(Musl)
          unsafe __sa_handler.sa_handler = newValue
        #else
          unsafe sa_handler = newValue
        #endif
      }
    }
  }

  /// Returns the address of a handler for comparison: `SIG_IGN` and its like are addresses without a function.
  private func address(_ handler: (@convention(c) (Int32) -> Void)?) -> Int {
    unsafe unsafeBitCast(handler, to: Int.self)
  }
#endif
