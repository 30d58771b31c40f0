// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Reports the running tests when a signal ends the process: a trap, a failed precondition, a deadlock of `Mutex` on
/// Linux.
///
/// The handler is installed only as long as there are notes. It writes the notes to standard error, restores the
/// previous handler, and raises the signal again: so a backtrace, a sanitizer's report and the exit status are as
/// without it.
package enum CrashHandler {
  /// Adds a note that is written if the process crashes before it is removed.
  package static func add(_ note: CrashNote) {
    state.withLock { count in
      count += 1
      if count == 1 { install() }
      // The ordering makes the contents of the note visible to a thread that loads the pointer.
      let pointer = unsafe UInt(bitPattern: Unmanaged.passRetained(note).toOpaque())
      for slot in slots where slot.note.compareExchange(expected: 0, desired: pointer, ordering: .releasing).exchanged {
        return
      }
      // There are more notes than slots: this one is not written.
      unsafe Unmanaged.passUnretained(note).release()
    }
  }

  /// Removes a note.
  package static func remove(_ note: CrashNote) {
    state.withLock { count in
      count -= 1
      if count == 0 { uninstall() }
      let pointer = unsafe UInt(bitPattern: Unmanaged.passUnretained(note).toOpaque())
      // Either the handler doesn't find the note any more, or this thread sees that the handler is writing: then the
      // note lives forever. That needs a total order of both threads' accesses to slot and flag, the sequentially
      // consistent one.
      for slot in slots
      where slot.note.compareExchange(expected: pointer, desired: 0, ordering: .sequentiallyConsistent).exchanged {
        let speaker = speaker.load(ordering: .sequentiallyConsistent)
        if speaker == 0 || speaker & hasSpoken != 0 {
          unsafe Unmanaged.passUnretained(note).release()
        }
        return
      }
    }
  }

  /// Makes a crash end the process successfully, when all notes are written.
  static func exitsAfterCrash() { isLast.store(true, ordering: .relaxed) }

  // MARK: The signals

  private final class Slot: Sendable {
    /// An unbalanced reference to a ``CrashNote``, or 0.
    let note = Atomic<UInt>(0)
  }

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]
  private static let slots = (0..<8).map { _ in Slot() }
  /// The thread that writes, or has written, which the lowest bit of its number says then; 0: none has.
  private static let speaker = Atomic<UInt>(0)
  /// Free in the number of a thread, which is the address of its description.
  private static let hasSpoken: UInt = 1
  private static let isLast = Atomic(false)
  /// The number of notes; guards the installation, too.
  private static let state = Locked(0)
  // Written under the lock, before the handler is installed that reads it.
  /// The handlers that were there before.
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)

  private static func install() {
    // Everything that the handler uses is initialized now, down to the machinery of the language.
    _ = (slots.count, speaker.load(ordering: .relaxed), hasSpoken, mostWaits, isLast.load(ordering: .relaxed))
    var rehearsal = LastWords()
    rehearsal.add("")
    rehearsal.add(1_000)
    CrashNote("", again: "").speak(name(of: SIGILL), &rehearsal)
    for index in signals.indices {
      let now = current(signals[index])
      // Other code has restored it: the previous handler is known.
      if isOurs(now) { continue }
      // In bounds, and the handler that reads it isn't installed.
      unsafe (previous + index).initialize(to: now)
      var action = sigaction()
      // On a stack of its own where the thread has one. Other signals may come meanwhile: see `speak`.
      action.sa_flags = CInt(SA_SIGINFO) | CInt(bitPattern: UInt32(SA_ONSTACK))
      unsafe sigemptyset(&action.sa_mask)
      setHandler(&action)
      unsafe sigaction(signals[index], &action, nil)
    }
  }

  /// Restores the previous handlers, except where other code has installed a handler meanwhile.
  private static func uninstall() {
    for index in signals.indices where isOurs(current(signals[index])) {
      unsafe sigaction(signals[index], previous + index, nil)
    }
  }

  private static func current(_ signal: CInt) -> sigaction {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    return action
  }

  // MARK: In the handler

  fileprivate static func handle(_ signal: CInt, isSynchronous: Bool) {
    // The handler may have come between two instructions of a system call's caller.
    let error = errno
    speak(name(of: signal))
    var index = 0
    while index < signals.count, signals[index] != signal { index += 1 }
    if index < signals.count { unsafe sigaction(signal, previous + index, nil) }
    // An instruction that faulted does so again when the handler returns, and the previous handler learns the address.
    // A signal that was sent has to be sent again; so has a trap, whose instruction may have completed.
    if !isSynchronous || signal == SIGABRT || signal == SIGTRAP { raise(signal) }
    errno = error
  }

  /// Returns true if the calling thread is to write: the first to crash.
  ///
  /// The others wait, so that the process lives until all is written, and dies of the first signal. If it still lives
  /// after ten seconds, the first one's previous handler has continued it, and the next one writes as well.
  private static func mayWrite(_ me: UInt) -> Bool {
    var waits = 0
    while true {
      // Relaxed: the exchange decides.
      let other = speaker.load(ordering: .relaxed)
      // It crashed while it wrote.
      if other == me { return false }
      let isLate = waits >= mostWaits
      if other == 0 || other == me | hasSpoken || isLate && other & hasSpoken != 0 {
        let mine = speaker.compareExchange(expected: other, desired: me, ordering: .sequentiallyConsistent)
        if mine.exchanged { return true }
        continue
      }
      if isLate { return false }
      poll(nil, 0, 10)
      waits += 1
    }
  }

  /// The number of hundredths of a second for which a thread waits at most.
  private static let mostWaits = 1_000

  private static func speak(_ signal: StaticString) {
    let me = CurrentThread.key
    guard mayWrite(me) else { return }
    var words = LastWords()
    var index = 0
    while index < slots.count {
      let pointer = slots[index].note.load(ordering: .sequentiallyConsistent)
      if let note = unsafe UnsafeRawPointer(bitPattern: pointer) {
        // Alive: see `remove`.
        unsafe Unmanaged<CrashNote>.fromOpaque(note)._withUnsafeGuaranteedRef { note in
          var own = words
          note.speak(signal, &own)
          if let file = note.file { own.write(to: file, from: words) }
          words = own
        }
      }
      index += 1
    }
    words.write(to: STDERR_FILENO)
    if isLast.load(ordering: .relaxed) { _exit(EXIT_SUCCESS) }
    // If the process survives, because a previous handler continues it, the next crash is written as well.
    speaker.store(me | hasSpoken, ordering: .releasing)
  }

  private static func name(of signal: CInt) -> StaticString {
    switch signal {
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGSEGV: "SIGSEGV"
    case SIGBUS: "SIGBUS"
    default: "SIGFPE"
    }
  }
}

// MARK: - System differences

// Called by the system. Calls nothing that isn't safe in a signal handler: `open`, `write`, `close`, `sigaction`,
// `raise`, `poll`, `pthread_self`.
private func handleCrash(
  _ signal: CInt,
  _ info: UnsafeMutablePointer<siginfo_t>?,
  _ context: UnsafeMutableRawPointer?
) {
  // Positive: sent by the processor, because of an instruction of the thread. Apple's codes of signals that were sent
  // are positive as well, but above 0x1_0000.
  let isSynchronous = unsafe 1..<0x1_0000 ~= (info?.pointee.si_code ?? 0)
  CrashHandler.handle(signal, isSynchronous: isSynchronous)
}

private func setHandler(_ action: inout sigaction) {
  #if canImport(Darwin)
    unsafe action.__sigaction_u.__sa_sigaction = { unsafe handleCrash($0, $1, $2) }
  #elseif canImport(Musl)
    unsafe action.__sa_handler.sa_sigaction = { unsafe handleCrash($0, $1, $2) }
  #elseif canImport(Android)
    unsafe action.sa_sigaction = { unsafe handleCrash($0, $1, $2) }
  #else
    unsafe action.__sigaction_handler.sa_sigaction = { unsafe handleCrash($0, $1, $2) }
  #endif
}

/// Returns true if it is the handler of this file.
private func isOurs(_ action: sigaction) -> Bool {
  var ours = sigaction()
  setHandler(&ours)
  #if canImport(Darwin)
    return unsafe address(action.__sigaction_u.__sa_sigaction) == address(ours.__sigaction_u.__sa_sigaction)
  #elseif canImport(Musl)
    return unsafe address(action.__sa_handler.sa_sigaction) == address(ours.__sa_handler.sa_sigaction)
  #elseif canImport(Android)
    return unsafe address(action.sa_sigaction) == address(ours.sa_sigaction)
  #else
    return unsafe address(action.__sigaction_handler.sa_sigaction) == address(ours.__sigaction_handler.sa_sigaction)
  #endif
}

private typealias Handler =
  @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

private func address(_ handler: Handler?) -> UInt {
  // The address of a C function, compared and never called.
  unsafe unsafeBitCast(handler, to: UInt.self)
}
