// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @testable import RaceFreeFutureFoundation

  /// What changes the signals of a program runs in a process of its own.
  @Suite(.exitTests) struct ChildSignalsTests {
    // MARK: - CHLD

    @Test func `while the signal CHLD is ignored nothing is launched`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGCHLD, SIG_IGN)
        let process = shell("exit 3")
        let error = await #expect(throws: ProcessRunError.self) { try await process.runFuture().inTime }
        #expect(error == .childSignalIgnored)
        #expect(process.processIdentifier == 0)
        signal(SIGCHLD, SIG_DFL)
        let status = try await process.runFuture().inTime.terminationStatus
        #expect(status == 3)
      }
    }

    @Test func `while the system is told to keep no statuses nothing is launched`() async {
      await #expect(processExitsWith: .success) {
        var action = sigaction()
        action.sa_flags = SA_NOCLDWAIT
        unsafe sigaction(SIGCHLD, &action, nil)
        let error = await #expect(throws: ProcessRunError.self) { try await shell("kill -9 $$").runFuture().inTime }
        #expect(error == .childSignalIgnored)
      }
    }

    @Test func `a status that was lost is a failure and not a success`() async {
      await #expect(processExitsWith: .success) {
        let run: WeakWork
        do {
          let words = FirstWords()
          let late = LateResult()
          let process = shell("echo ready; read line; exit 3")
          let input = Pipe()
          process.standardInput = input
          let future = process.runFuture(output: words.output, onUndelivered: late.onUndelivered)
          run = WeakWork(future)
          _ = try await words.spoken
          signal(SIGCHLD, SIG_IGN)
          try input.fileHandleForWriting.close()
          let error = await #expect(throws: ProcessRunError.self) { try await future.inTime }
          #expect(error == .exitStatusLost)
          _ = try await late.result
        }
        // What is alive at the exit may look like a leak.
        try await eventually("the future is released") { run.isGone }
      }
    }

    // MARK: - What a child inherits

    @Test func `a child blocks no signal, although the threads of Dispatch do`() async throws {
      #expect(try await signalsOfChild("SigBlk") == [])
    }

    @Test func `a child ignores no signal, although the program does`() async {
      await #expect(processExitsWith: .success) {
        for ignored in [SIGTERM, SIGINT, SIGPIPE, SIGUSR1, 64] { signal(ignored, SIG_IGN) }
        let ignored = try await signalsOfChild("SigIgn")
        #expect(ignored == [], "\(ignored)")
      }
    }

    @Test func `what nohup and the control of terminals ignore is ignored by children`() async {
      await #expect(processExitsWith: .success) {
        for ignored in [SIGHUP, SIGTTOU, SIGTERM] { signal(ignored, SIG_IGN) }
        let ignored = try await signalsOfChild("SigIgn")
        #expect(ignored == [SIGHUP, SIGTTOU], "\(ignored)")
      }
    }

    @Test func `cancelled, a child ends by TERM although the program ignores it`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGTERM, SIG_IGN)
        let run: WeakWork
        do {
          let late = LateResult()
          let words = FirstWords()
          let future = shell("echo ready; exec sleep 1000").runFuture(
            output: words.output,
            stopping: [.send(.terminate)],
            onUndelivered: late.onUndelivered
          )
          run = WeakWork(future)
          _ = try await words.spoken
          future.cancel()
          let status = try await late.result.terminationStatus
          #expect(status == SIGTERM)
        }
        try await eventually("the future is released") { run.isGone }
      }
    }

    @Test func `signals that a program ignores do nothing while a child is launched, nor after`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGTERM, SIG_IGN)
        signal(SIGUSR1, SIG_IGN)
        let process = Launching("/bin/sh", "-c", "exit 3")
        let future = process.runFuture()
        await process.begun.passed()
        kill(getpid(), SIGTERM)
        process.goOn.open()
        let status = try await future.inTime.terminationStatus
        #expect(status == 3)
        kill(getpid(), SIGUSR1)
        #expect(ignoredSignals().isSuperset(of: [SIGTERM, SIGUSR1]))
      }
    }

    @Test func `what others make of a signal while a child is launched remains`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGUSR1, SIG_IGN)
        signal(SIGUSR2, SIG_IGN)
        let process = Launching("/bin/sh", "-c", "exit 3")
        let future = process.runFuture()
        await process.begun.passed()
        signal(SIGUSR1, SIG_DFL)
        process.goOn.open()
        let status = try await future.inTime.terminationStatus
        #expect(status == 3)
        #expect(!ignoredSignals().contains(SIGUSR1))
        #expect(ignoredSignals().contains(SIGUSR2))
      }
    }

    @Test func `what the main thread blocks for moments isn't taken for the program's will`() {
      let everything = Set<Int32>(1...64).subtracting([SIGKILL, SIGSTOP])
      let ofDispatch = everything.subtracting([SIGPIPE, SIGSEGV, 32, 33])
      func answer(_ answers: Set<Int32>...) -> Set<Int32> {
        var rest = answers[...]
        return blockedSignals { rest.count > 1 ? rest.removeFirst() : rest[rest.startIndex] }
      }
      #expect(answer([]) == [])
      #expect(answer([SIGTERM, SIGHUP]) == [SIGTERM, SIGHUP])
      #expect(answer(everything, ofDispatch, [SIGTERM]) == [SIGTERM])
      // In the end it is the will of the program, or of nobody.
      #expect(answer(ofDispatch) == ofDispatch)
      #expect(answer(everything) == [])
    }

    @Test func `the launching thread blocks what it is told to, and its own signals after`() async throws {
      await onThread {
        let before = signalsOfThread()
        let inside = withMask([SIGUSR1, 64]) { signalsOfThread() }
        #expect(inside == [SIGUSR1, 64])
        #expect(signalsOfThread() == before)
      }
    }
  }

  /// A set of signals of a child, as the kernel shows it.
  private func signalsOfChild(_ name: String) async throws -> Set<Int32> {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/grep")
    process.arguments = ["\(name):", "/proc/self/status"]
    let line = try await process.runFuture().inTime.output
    return signals(UInt64(line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespacesAndNewlines), radix: 16))
  }

  private func ignoredSignals() -> Set<Int32> {
    signals(statusOfMainThread("SigIgn").flatMap { UInt64($0, radix: 16) })
  }

  private func signals(_ bits: UInt64?) -> Set<Int32> {
    // 32 and 33 belong to the C library, which ignores them in a program that was spawned in a certain way.
    let bits = bits ?? .max
    return Set((1...64).filter { (signal: Int32) -> Bool in bits >> UInt64(signal - 1) & 1 != 0 }).subtracting([32, 33])
  }

  /// Those of this thread.
  private func signalsOfThread() -> Set<Int32> {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return Set((1...64).filter { unsafe sigismember(&mask, $0) == 1 })
  }
#endif
