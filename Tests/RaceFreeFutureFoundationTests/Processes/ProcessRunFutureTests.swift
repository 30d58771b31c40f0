// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import Synchronization
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @Suite struct ProcessRunFutureTests {
    @Test func `the result has status, reason and both outputs`() async throws {
      let result = try await shell("echo out; echo err >&2; exit 3").runFuture().inTime
      #expect(result.terminationStatus == 3)
      #expect(result.terminationReason == .exit)
      #expect(result.output == "out\n")
      #expect(result.error == "err\n")
      #expect(!result.isSuccess)
    }

    @Test func `a child that says nothing has empty outputs`() async throws {
      let result = try await shell("exit 0").runFuture().inTime
      #expect(result == ProcessResult(terminationStatus: 0))
      #expect(result.isSuccess)
    }

    @Test func `a child that kills itself is a value`() async throws {
      let result = try await shell("kill -9 $$").runFuture().inTime
      #expect(result.terminationReason == .uncaughtSignal)
      #expect(result.terminationStatus == 9)
    }

    @Test func `status other than 0 is an error for those who ask`() async throws {
      let future = shell("echo first >&2; echo no such thing >&2; exit 2").runFuture().map { try $0.checkSuccess() }
      let error = await #expect(throws: ProcessExitError.self) { try await future.inTime }
      #expect(error?.result.terminationStatus == 2)
      #expect(error.map { "\($0)" } == "the process exited with status 2: no such thing")
      let success = try await shell("echo fine").runFuture().map { try $0.checkSuccess().output }.inTime
      #expect(success == "fine\n")
    }

    @Test func `binary output comes as it is`() async throws {
      let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
      let result = try await shell("cat").runFuture(input: .data(bytes)).inTime
      #expect(result.standardOutput == bytes)
    }

    @Test func `several megabytes on both outputs come whole and don't block`() async throws {
      let script =
        "(i=0; while [ $i -lt 64 ]; do cat; i=$((i+1)); done) < /dev/null; "
        + "yes 0123456789abcde | head -c 5000000 >&2 & yes fedcba987654321 | head -c 5000000; wait"
      let result = try await shell(script).runFuture().inTime
      #expect(result.standardOutput.count == 5_000_000)
      #expect(result.standardError.count == 5_000_000)
      let line = Data("0123456789abcde\n".utf8)
      for start in stride(from: 0, to: 5_000_000 - 16, by: 160_000) {
        #expect(result.standardError[start..<start + 16] == line)
      }
    }

    @Test func `a child that writes one output after the other doesn't block`() async throws {
      let result = try await shell("head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero").runFuture().inTime
      #expect(result.standardOutput.count == 1_000_000)
      #expect(result.standardError.count == 1_000_000)
    }

    @Test func `a large input goes through a child while its output is read`() async throws {
      let input = Data(repeating: 0x61, count: 4_000_000)
      let result = try await shell("cat; cat /dev/null").runFuture(input: .data(input)).inTime
      #expect(result.standardOutput == input)
    }

    @Test func `a child that doesn't read its input ends as any other`() async throws {
      let input = Data(repeating: 0x61, count: 4_000_000)
      let deaf = try await shell("exit 5").runFuture(input: .data(input)).inTime
      #expect(deaf.terminationStatus == 5)
      let half = try await shell("head -c 10; exec 0<&-; echo; yes | head -c 100000 >&2").runFuture(input: .data(input))
        .inTime
      #expect(half.output == "aaaaaaaaaa\n")
      #expect(half.standardError.count == 100_000)
    }

    @Test func `empty input and the null device are an end at once`() async throws {
      let empty = shell("cat; echo end")
      #expect(try await empty.runFuture(input: .data(Data())).inTime.output == "end\n")
      let null = shell("cat; echo end")
      #expect(try await null.runFuture(input: .null).inTime.output == "end\n")
    }

    @Test func `unchanged ends go where the process says`() async throws {
      let input = Pipe()
      let output = Pipe()
      let process = shell("cat; echo lost >&2")
      process.standardInput = input
      process.standardOutput = output
      let future = process.runFuture(input: .unchanged, output: .unchanged, error: .discarded)
      try input.fileHandleForWriting.write(contentsOf: Data("through".utf8))
      try input.fileHandleForWriting.close()
      let result = try await future.inTime
      #expect(result == ProcessResult(terminationStatus: 0))
      #expect(try output.fileHandleForReading.readToEnd() == Data("through".utf8))
    }

    // MARK: - Streamed

    @Test func `pieces come in order, one at a time, before the completion`() async throws {
      let (outPieces, errorPieces) = (EventLog<Data>(), EventLog<Data>())
      let inside = Atomic(0)
      func handler(_ pieces: EventLog<Data>) -> ProcessOutput {
        .streamed { piece in
          #expect(inside.add(1, ordering: .relaxed).newValue == 1)
          pieces.add(piece)
          #expect(inside.subtract(1, ordering: .relaxed).newValue == 0)
        }
      }
      let script = "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done; yes | head -c 1000000 >&2"
      let future = shell(script).runFuture(output: handler(outPieces), error: handler(errorPieces))
      let result = try await future.inTime
      let all = outPieces.events.reduce(into: Data()) { $0.append($1) }
      #expect(String(decoding: all, as: UTF8.self) == (0..<20000).map { "\($0)\n" }.joined())
      #expect(errorPieces.events.map(\.count).reduce(0, +) == 1_000_000)
      #expect((outPieces.events + errorPieces.events).allSatisfy { !$0.isEmpty && $0.count <= 65_536 })
      #expect(result == ProcessResult(terminationStatus: 0))
    }

    @Test func `a slow handler holds the child back`() async throws {
      let gate = Gate("the first piece")
      let pieces = EventLog<Int>()
      let script = "head -c 10000000 /dev/zero & wait; echo written >&2"
      let future = shell(script).runFuture(
        output: .streamed { piece in
          gate.wait()
          pieces.add(piece.count)
        },
        error: .collected
      )
      // It can't have written all: nobody reads, and a pipe holds less.
      #expect(future.isPending)
      #expect(!pieces.events.contains { $0 > 65_536 })
      gate.open()
      #expect(try await future.inTime.error == "written\n")
      #expect(pieces.events.reduce(0, +) == 10_000_000)
    }

    @Test func `a handler that cancels gets no further piece`() async throws {
      let late = LateResult()
      let pieces = EventLog<Int>()
      let slot = EventLog<CancelToken>()
      let ready = Gate("the token is there")
      let future = shell("exec yes").runFuture(
        output: .streamed { piece in
          ready.wait()
          pieces.add(piece.count)
          slot.events.first?.cancel()
        },
        onUndelivered: late.onUndelivered
      )
      slot.add(future.cancelToken)
      ready.open()
      let result = try await late.result
      #expect(pieces.events.count == 1)
      #expect(result.terminationReason == .uncaughtSignal)
    }

    @Test func `without a label it is named after its executable`() async throws {
      let run = shell("exec sleep 1000").runFuture(stopping: [.send(.kill)])
      #expect(run.origin.label == "sh" && run.origin.place.hasPrefix("\(#fileID):"))
      run.cancel()
      await run.drain()
      let labelled = shell("exit 0").runFuture(label: "short")
      #expect(labelled.origin.label == "short")
      _ = try await labelled.inTime
    }

    // MARK: - Collected

    @Test func `what is collected has a limit for each output`() async throws {
      let process = shell("head -c 1000 /dev/zero; head -c 1000 /dev/zero >&2")
      let result = try await process.runFuture(output: .collected(limit: 1000), error: .collected(limit: 1000)).inTime
      #expect(result.standardOutput.count == 1000)
      #expect(result.standardError.count == 1000)
      let none = try await shell("exit 0").runFuture(output: .collected(limit: 0), error: .collected(limit: 0)).inTime
      #expect(none == ProcessResult(terminationStatus: 0))
    }

    @Test func `a child that writes more than is collected is stopped, and the error says so`() async throws {
      for stream in [ProcessRunError.Stream.output, .error] {
        let late = LateResult()
        let future = shell(stream == .output ? "exec yes" : "exec yes >&2").runFuture(
          output: .collected(limit: 999),
          error: .collected(limit: 999),
          stopping: [.send(.terminate)],
          onUndelivered: late.onUndelivered
        )
        let error = await #expect(throws: ProcessRunError.self) { try await future.inTime }
        #expect(error == .outputTooLong(stream, limit: 999))
        #expect(error?.description.contains("more than 999 bytes to its standard \(stream)") == true)
        let result = try await late.result
        #expect(result.terminationStatus == SIGTERM)
        #expect(result.standardOutput.count == (stream == .output ? 999 : 0))
        #expect(result.standardError.count == (stream == .error ? 999 : 0))
        #expect(late.count == 1)
      }
    }

    @Test func `unless another limit is given it is 16 MiB`() async throws {
      let error = await #expect(throws: ProcessRunError.self) { try await shell("exec yes").runFuture().inTime }
      #expect(error == .outputTooLong(.output, limit: 16_777_216))
    }

    @Test func `the child is stopped although the decision waits for a block`() async throws {
      let late = LateResult()
      let (blocked, goOn) = (Gate("the future has a queued block"), Gate("the block may end"))
      let ended = Gate("the child has exited")
      let process = shell("cat; exec yes")
      process.terminationHandler = { _ in ended.open() }
      let input = Pipe()
      process.standardInput = input
      let future = process.runFuture(output: .collected(limit: 10), onUndelivered: late.onUndelivered)
      future.perform {
        blocked.open()
        goOn.wait()
      }
      await blocked.passed()
      try input.fileHandleForWriting.close()
      await ended.passed()
      #expect(future.isPending)
      goOn.open()
      let error = await #expect(throws: ProcessRunError.self) { try await future.inTime }
      #expect(error == .outputTooLong(.output, limit: 10))
      #expect(try await late.result.terminationStatus == SIGTERM)
    }

    // MARK: - Misuse and failures

    @Test func `a process that can't be launched is a failure with Foundation's error`() async throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/nonexistent/program")
      let error = await #expect(throws: CocoaError.self) { try await process.runFuture().inTime }
      #expect(error?.code == .fileReadNoSuchFile || error?.code == .fileNoSuchFile)
      let directory = Process()
      directory.executableURL = URL(fileURLWithPath: "/tmp")
      await #expect(throws: CocoaError.self) { try await directory.runFuture(input: .data(Data([1]))).inTime }
      await #expect(throws: CocoaError.self) { try await Process().runFuture().inTime }
    }

    @Test func `after a failure the process is as before, and can be run`() async throws {
      let process = shell("echo again")
      let handler = Gate("the user's handler")
      process.terminationHandler = { _ in handler.open() }
      process.executableURL = URL(fileURLWithPath: "/nonexistent/program")
      await #expect(throws: CocoaError.self) { try await process.runFuture().inTime }
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      #expect(try await process.runFuture().inTime.output == "again\n")
      await handler.passed()
    }

    @Test func `a process that was started before is refused`() async throws {
      let process = shell("exit 0")
      let first = process.runFuture()
      let second = process.runFuture()
      _ = try await first.inTime
      let error = await #expect(throws: ProcessStartedError.self) { try await second.inTime }
      #expect(error?.processIdentifier == process.processIdentifier)
      let byHand = shell("exit 0")
      try byHand.run()
      await #expect(throws: ProcessStartedError.self) { try await byHand.runFuture().inTime }
    }

    @Test func `the user's termination handler is called once`() async throws {
      let calls = EventLog<Int32>()
      let called = Gate("the termination handler")
      let process = shell("exit 4")
      process.terminationHandler = { process in
        calls.add(process.terminationStatus)
        called.open()
      }
      #expect(try await process.runFuture().inTime.terminationStatus == 4)
      await called.passed()
      #expect(calls.events == [4])
    }

    @Test func `dropping the future changes nothing`() async throws {
      let ended = Gate("the child has exited")
      let process = shell("exit 0")
      process.terminationHandler = { _ in ended.open() }
      _ = process.runFuture()
      await ended.passed()
    }
  }
#endif
