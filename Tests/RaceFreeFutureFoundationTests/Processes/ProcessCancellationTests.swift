// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @testable import RaceFreeFutureFoundation

  @Suite struct ProcessCancellationTests {
    // MARK: - Decided before the launch

    @Test func `cancelled before the launch, the process is never started, and that is told`() async throws {
      let gate = Gate("launching")
      ProcessRun.launches.async { gate.wait() }
      let process = shell("exit 0")
      let late = LateResult()
      let future = process.runFuture(onUndelivered: late.onUndelivered)
      future.cancel(throwing: Reason("too early"))
      #expect(!late.isThere)
      gate.open()
      #expect(try await late.end == nil)
      #expect(process.processIdentifier == 0)
      #expect(reason(future.cancellationReason) == Reason("too early"))
    }

    @Test func `completed before the launch, the process is never started, and that is told`() async throws {
      let gate = Gate("launching")
      ProcessRun.launches.async { gate.wait() }
      let process = shell("exit 0")
      let late = LateResult()
      let future = process.runFuture(onUndelivered: late.onUndelivered)
      future.complete(with: ProcessResult(terminationStatus: 77))
      gate.open()
      #expect(try await late.end == nil)
      #expect(process.processIdentifier == 0)
    }

    @Test func `decided while it is launched, the child is terminated`() async throws {
      for completes in [false, true] {
        let process = Launching("/bin/sleep", "1000")
        let late = LateResult()
        let future = process.runFuture(stopping: [.send(.terminate)], onUndelivered: late.onUndelivered)
        await process.begun.passed()
        if completes { future.complete(throwing: Reason("enough")) } else { future.cancel() }
        process.goOn.open()
        let result = try await late.result
        #expect(result.terminationReason == .uncaughtSignal)
        #expect(result.terminationStatus == SIGTERM)
      }
    }

    @Test func `decided while a launch fails, it is told that nothing was started`() async throws {
      let process = Launching("/nonexistent")
      let late = LateResult()
      let future = process.runFuture(onUndelivered: late.onUndelivered)
      await process.begun.passed()
      future.cancel()
      process.goOn.open()
      #expect(try await late.end == nil)
    }

    @Test func `a result or an error that is delivered is told once`() async throws {
      for process in [shell("exit 3"), Process()] {
        let late = LateResult()
        let over = Gate("the run is over")
        do {
          let keeper = OnDeinit { over.open() }
          let future = process.runFuture { result in
            late.onUndelivered(result)
            keeper.touch()
          }
          _ = try? await future.inTime
        }
        // The run keeps the closure until it has nothing more to tell.
        await over.passed()
        #expect(!late.isThere)
      }
    }

    // MARK: - Decided while it runs

    @Test func `completed by somebody else, the child is terminated`() async throws {
      let late = LateResult()
      let words = FirstWords()
      let future = shell("exec yes").runFuture(
        output: words.output,
        stopping: [.send(.terminate)],
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      future.complete(with: ProcessResult(terminationStatus: 77))
      let result = try await late.result
      #expect(result.terminationReason == .uncaughtSignal)
      #expect(result.terminationStatus == SIGTERM)
      #expect(try await future.inTime.terminationStatus == 77)
      #expect(late.count == 1)
    }

    @Test func `after a completion nothing is streamed, though it has been written`() async throws {
      let late = LateResult()
      let pieces = EventLog<String>()
      let slot = EventLog<ValueFuture<ProcessResult>>()
      let ready = Gate("the future is there")
      let (input, written) = (Pipe(), Pipe())
      let process = shell("echo first; read line; echo second; echo written >&2; exec sleep 1000")
      process.standardInput = input
      process.standardError = written
      let output = ProcessOutput.streamed { piece in
        pieces.add(String(decoding: piece, as: UTF8.self))
        if pieces.events.count > 1 { return }
        ready.wait()
        // The second piece can be read when this returns.
        try? input.fileHandleForWriting.close()
        _ = written.fileHandleForReading.availableData
        slot.events.first?.complete(with: ProcessResult(terminationStatus: 77))
      }
      slot.add(process.runFuture(output: output, error: .unchanged, onUndelivered: late.onUndelivered))
      ready.open()
      #expect(try await late.result.terminationStatus == SIGTERM)
      #expect(pieces.events == ["first\n"])
    }

    @Test func `cancelled while it runs, the child gets the signal TERM`() async throws {
      let late = LateResult()
      let words = FirstWords()
      let handler = Gate("the user's handler")
      let process = shell("echo ready; exec sleep 1000")
      process.terminationHandler = { _ in handler.open() }
      let future = process.runFuture(
        output: words.output,
        stopping: [.send(.terminate)],
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      future.cancel()
      #expect(try await late.result.terminationStatus == SIGTERM)
      await handler.passed()
    }

    @Test func `a child may tidy up when it is told to end`() async throws {
      let late = LateResult()
      let words = FirstWords()
      // It says more than a pipe holds, so it ends only if somebody reads.
      let script =
        "trap 'head -c 1000000 /dev/zero && exit 9; exit 8' TERM; echo ready >&2; "
        + "while :; do sleep 0.01; done"
      let future = shell(script).runFuture(
        error: words.output,
        stopping: [.send(.terminate)],
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      future.cancel()
      let result = try await late.result
      #expect(result.terminationStatus == 9)
      #expect(result.terminationReason == .exit)
      #expect(result.standardOutput == Data(count: 1_000_000))
    }

    @Test(arguments: [ProcessStopStep.send(.terminate), .send(.kill)])
    func `what a child wrote before it was stopped is in the result that nobody receives`(
      step: ProcessStopStep
    ) async throws {
      // It says on the other stream that it has written; nobody has to have read that.
      for (script, isError) in [("echo one; echo two; echo >&2", false), ("(echo one; echo two) >&2; echo", true)] {
        let late = LateResult()
        let words = FirstWords()
        let future = shell(script + "; exec sleep 1000").runFuture(
          output: isError ? words.output : .collected,
          error: isError ? .collected : words.output,
          stopping: [step],
          onUndelivered: late.onUndelivered
        )
        _ = try await words.spoken
        future.cancel()
        let result = try await late.result
        #expect(result.terminationStatus == step.signal.rawValue)
        #expect((isError ? result.error : result.output) == "one\ntwo\n")
        #expect((isError ? result.standardOutput : result.standardError).isEmpty)
      }
    }

    @Test func `what a child says when it is told to end is collected, up to the limit`() async throws {
      for limit in [10, 11, 1_000] {
        let late = LateResult()
        let words = FirstWords()
        let script = "trap 'head -c 100000 /dev/zero; exit 9' TERM; echo 123456789; echo ready >&2; "
        let future = shell(script + "while :; do sleep 0.01; done").runFuture(
          output: .collected(limit: limit),
          error: words.output,
          stopping: [.send(.terminate)],
          onUndelivered: late.onUndelivered
        )
        _ = try await words.spoken
        future.cancel()
        let result = try await late.result
        #expect(result.terminationStatus == 9)
        #expect(result.standardOutput == Data("123456789\n".utf8) + Data(count: limit - 10))
      }
    }

    @Test func `a child that ignores TERM is killed after the interval`() async throws {
      for interval in [Duration.milliseconds(50), .seconds(0), .milliseconds(-1)] {
        let late = LateResult()
        let words = FirstWords()
        let script = "trap '' TERM; echo ready; while :; do sleep 0.01; done"
        let future = shell(script).runFuture(
          output: words.output,
          stopping: [.send(.terminate, allowing: interval), .send(.kill)],
          onUndelivered: late.onUndelivered
        )
        _ = try await words.spoken
        future.cancel()
        let result = try await late.result
        #expect(result.terminationReason == .uncaughtSignal)
        #expect(result.terminationStatus == SIGKILL)
      }
    }

    @Test func `a child gets one signal after the other, until it ends`() async throws {
      let late = LateResult()
      let words = FirstWords()
      let script = "trap 'trap \"exit 7\" TERM' INT; echo ready; while :; do sleep 0.01; done"
      // At TERM it only ends if it got INT before. It may be so late that it sees both at once.
      let future = shell("trap : TERM; " + script).runFuture(
        output: words.output,
        stopping: [.send(.interrupt, allowing: .milliseconds(200)), .send(.terminate, allowing: .seconds(3_600))],
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      future.cancel()
      let result = try await late.result
      #expect(result.terminationReason == .exit && result.terminationStatus == 7)
    }

    @Test func `by choice the signals go to the child's whole process group`() async throws {
      let late = LateResult()
      let words = FirstWords()
      // The grandchild would keep this pipe open, and ends with the group.
      let output = Pipe()
      let process = shell("(echo ready >&2; exec sleep 1000) & wait")
      process.standardOutput = output
      let future = process.runFuture(
        output: .unchanged,
        error: words.output,
        stopping: [.send(.terminate)],
        stopsGroup: true,
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      try output.fileHandleForWriting.close()
      future.cancel()
      #expect(try await late.result.terminationStatus == SIGTERM)
      #expect(await onThread { try? output.fileHandleForReading.readToEnd() } ?? Data() == Data())
    }

    #if os(Linux) || os(Android)
      /// A child that ends at TERM, and a grandchild in its group that doesn't, says its number, and keeps the pipe open.
      private func stubbornGroup(_ pipe: Pipe) -> Process {
        let process = shell("(trap '' TERM; echo $(exec sh -c 'echo $PPID') >&2; exec sleep 1000) & exec sleep 1000")
        process.standardOutput = pipe
        return process
      }

      @Test func `what is left of the group when the child has exited gets the other signals, and is waited for`()
        async throws
      {
        let (late, words, output) = (LateResult(), FirstWords(), Pipe())
        let future = stubbornGroup(output).runFuture(
          output: .unchanged,
          error: words.output,
          stopping: [.send(.terminate, allowing: .milliseconds(50)), .send(.kill)],
          stopsGroup: true,
          onUndelivered: late.onUndelivered
        )
        let grandchild = try await words.spoken
        #expect(isRunning(grandchild))
        future.cancel()
        #expect(try await late.result.terminationStatus == SIGTERM)
        #expect(!isRunning(grandchild))
        await future.drain()
      }

      @Test func `a process that has left the group isn't waited for`() async throws {
        let (late, words) = (LateResult(), FirstWords())
        let mark = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: mark) }
        // The grandchild ignores TERM, and leaves when the child has got it.
        let grandchild = #"trap "" TERM; echo $$ >&2; until [ -e "$1" ]; do sleep 0.01; done; exec setsid sleep 1000"#
        let child = #"trap 'touch "$1"; exit' TERM; sh -c '\#(grandchild)' sh "$1" & wait"#
        let future = shell(child, mark.path).runFuture(
          error: words.output,
          stopping: [.send(.terminate, allowing: .seconds(1)), .send(.kill)],
          stopsGroup: true,
          onUndelivered: late.onUndelivered
        )
        let leaver = try await words.spoken
        defer { killProcess(leaver) }
        future.cancel()
        _ = try await late.result
        await future.drain()
      }

      @Test func `what is left of the group after a last signal other than KILL isn't waited for`() async throws {
        let (late, words, output) = (LateResult(), FirstWords(), Pipe())
        let future = stubbornGroup(output).runFuture(
          output: .unchanged,
          error: words.output,
          stopping: [.send(.terminate)],
          stopsGroup: true,
          onUndelivered: late.onUndelivered
        )
        let grandchild = try await words.spoken
        defer { killProcess(grandchild) }
        future.cancel()
        #expect(try await late.result.terminationStatus == SIGTERM)
        #expect(isRunning(grandchild))
      }
    #endif

    @Test func `a cancelled run keeps its future open until the child has gone`() async throws {
      let scope = Scope(label: "scope")
      let late = LateResult()
      let words = FirstWords()
      // It ends at the end of its input.
      let (process, input) = (shell("trap '' TERM; echo ready; cat"), Pipe())
      process.standardInput = input
      let future = process.runFuture(
        output: words.output,
        stopping: [.send(.terminate)],
        label: "stubborn",
        onUndelivered: late.onUndelivered
      )
      scope.add(future)
      _ = try await words.spoken
      // The cancellation doesn't have to wait for the handler of the output.
      await future.withTurn {}
      scope.cancel()
      let error = await #expect(throws: DrainError.self) { try await scope.drain(within: .zero) }
      // Its activity, and perhaps a handler that hasn't returned yet.
      #expect(Set(error?.remaining.map(\.origin.label) ?? []) == ["stubborn"])
      try input.fileHandleForWriting.close()
      await scope.drain()
      // It was told before.
      #expect(late.isThere)
    }

    @Test func `a run that never starts keeps its future open until that is told`() async throws {
      let gate = Gate("launching")
      ProcessRun.launches.async { gate.wait() }
      let late = LateResult()
      let future = shell("exit 0").runFuture(onUndelivered: late.onUndelivered)
      future.cancel()
      await #expect(throws: DrainError.self) { try await future.drain(within: .zero) }
      gate.open()
      await future.drain()
      #expect(late.isThere)
    }

    @Test func `cancelled after the completion, nothing happens`() async throws {
      let late = LateResult()
      let future = shell("exit 0").runFuture(onUndelivered: late.onUndelivered)
      _ = try await future.inTime
      future.cancel()
      #expect(future.isCompleted)
      #expect(!late.isThere)
    }

    @Test func `a time limit and a linked token cancel as anybody does`() async throws {
      let late = LateResult()
      let words = FirstWords()
      let slow = shell("echo ready; exec sleep 1000").runFuture(output: words.output, onUndelivered: late.onUndelivered)
      _ = try await words.spoken
      slow.cancel(after: .milliseconds(20))
      await #expect(throws: TimeoutError.self) { try await slow.inTime }
      #expect(try await late.result.terminationStatus == SIGTERM)
      let parent = Future()
      let lateChild = LateResult()
      let childWords = FirstWords()
      let child = shell("echo ready; exec sleep 1000").runFuture(
        output: childWords.output,
        onUndelivered: lateChild.onUndelivered
      )
      parent.cascadeCancellation(to: child)
      _ = try await childWords.spoken
      parent.cancel()
      #expect(try await lateChild.result.terminationStatus == SIGTERM)
    }

    @Test func `what a run captured is released when it is over`() async throws {
      for cancels in [false, true] {
        let released = Gate("everything is released")
        let process = shell("echo ready; exec sleep \(cancels ? 1000 : 0)")
        do {
          let keeper = OnDeinit { released.open() }
          let words = FirstWords()
          process.terminationHandler = { _ in keeper.touch() }
          let error = ProcessOutput.streamed { _ in keeper.touch() }
          let future = process.runFuture(output: words.output, error: error) { _ in keeper.touch() }
          _ = try await words.spoken
          if cancels { future.cancel() }
          _ = await future.outcome
        }
        await released.passed()
      }
    }

    // MARK: - Grandchildren

    @Test func `a grandchild that keeps the output is waited for`() async throws {
      let result = try await shell("echo child; (sleep 0.2; echo grandchild) &").runFuture().inTime
      #expect(result.output == "child\ngrandchild\n")
    }

    @Test func `a grandchild that keeps the output doesn't outlast a cancellation`() async throws {
      let late = LateResult()
      let words = FirstWords()
      // The child exits at once. The grandchild keeps both outputs and tells its number.
      let future = shell("sleep 1000 & echo $!; exit 6").runFuture(
        output: words.output,
        onUndelivered: late.onUndelivered
      )
      let grandchild = try await words.spoken
      defer { killProcess(grandchild) }
      // Its pipe is open, so it can't complete.
      #expect(future.isPending)
      future.cancel()
      let result = try await late.result
      // Cancelled before or after the exit.
      #expect(result.terminationStatus == 6 || result.terminationStatus == SIGTERM)
    }

    @Test func `a grandchild that writes without an end doesn't outlast a cancellation`() async throws {
      let late = LateResult()
      let words = FirstWords()
      let future = shell("yes & echo $! >&2; exec sleep 1000").runFuture(
        output: .streamed { _ in },
        error: words.output,
        stopping: [.send(.kill)],
        onUndelivered: late.onUndelivered
      )
      let grandchild = try await words.spoken
      defer { killProcess(grandchild) }
      future.cancel()
      #expect(try await late.result.terminationStatus == SIGKILL)
      await future.drain()
    }

    @Test func `a grandchild without the pipes isn't waited for`() async throws {
      let process = shell("sleep 1000 > /dev/null 2>&1 & echo $!; exit 7")
      let result = try await process.runFuture().inTime
      #expect(result.terminationStatus == 7)
      killProcess(result.output)
    }

    // MARK: - Signals

    @Test func `a child that has gone gets no signal`() async throws {
      let process = shell("exit 0")
      let gone = Gate("Foundation has reaped the child")
      process.terminationHandler = { _ in gone.open() }
      let ready = Pipe()
      process.standardInput = ready
      try process.run()
      let child = ChildProcess(process.processIdentifier)
      try ready.fileHandleForWriting.close()
      await gone.passed()
      #expect(!child.send(SIGTERM))
      #expect(!ChildProcess(process.processIdentifier).send(SIGTERM))
    }
  }
#endif
