// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  // Computed: the leak check does not see what a global `Data` keeps.
  private var kilobyte: Data { Data(repeating: 0x78, count: 1000) }

  /// Pieces of a kilobyte without end; counts how many have been taken.
  private struct Endless: AsyncSequence, Sendable {
    final class Count: Sendable {
      let taken = Atomic(0)
      let isReleased = Gate("the pieces have been released")
      deinit { isReleased.open() }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      let count: Count

      mutating func next() async throws -> Data? {
        try Task.checkCancellation()
        count.taken.add(1, ordering: .relaxed)
        return kilobyte
      }
    }

    let count: Count

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
  }

  @Suite struct `Input of processes` {
    // MARK: Sequences

    @Test func `comes from a sequence, and ends with it`() async throws {
      let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
      let answers = EventLog<String>()
      let isAnswered = Gate("answered")
      let future = shell("while read line; do echo got $line; done; echo end").runFuture(
        input: .sequence(pieces),
        output: .lines { line in
          answers.add(line)
          isAnswered.open()
        }
      )
      continuation.yield(Data("one\n".utf8))
      // The child has read it before the next one is there.
      await isAnswered.passed()
      continuation.yield(Data())
      continuation.yield(Data("two\n".utf8))
      continuation.finish()
      #expect(try await future.inTime.isSuccess)
      #expect(answers.events == ["got one", "got two", "end"])
    }

    @Test func `of many large pieces comes whole`() async throws {
      let pieces = (0..<40).map { Data(repeating: UInt8($0), count: 100_000) }
      let input = AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
      }
      let result = try await shell("cat").runFuture(input: .sequence(input)).inTime
      #expect(result.standardOutput == pieces.reduce(into: Data()) { $0 += $1 })
    }

    @Test func `is asked for no faster than the child reads`() async throws {
      let (slow, quick) = (Endless.Count(), Endless.Count())
      let (late, lateToo) = (LateResult(), LateResult())
      let read = FirstWords()
      let future = shell("head -c 100000 > /dev/null; echo read; exec sleep 3600").runFuture(
        input: .sequence(Endless(count: slow)),
        output: read.output,
        onUndelivered: late.onUndelivered
      )
      _ = try await read.spoken
      // Another child reads a hundred times as much meanwhile.
      let other = shell("head -c 10000000 > /dev/null; echo read; exec cat > /dev/null")
      let readToo = FirstWords()
      let otherFuture = other.runFuture(
        input: .sequence(Endless(count: quick)),
        output: readToo.output,
        onUndelivered: lateToo.onUndelivered
      )
      _ = try await readToo.spoken
      #expect(quick.taken.load(ordering: .relaxed) >= 10_000)
      // What the child has read and what a pipe holds, which is a megabyte at most.
      #expect(slow.taken.load(ordering: .relaxed) < 2000)
      future.cancel()
      otherFuture.cancel()
      _ = try await (late.result, lateToo.result)
    }

    @Test func `that fails makes the run fail, and stops the child`() async throws {
      let cases: [(any Error, Future.Outcome)] = [(Reason("no more"), .completed), (CancellationError(), .cancelled)]
      for (error, outcome) in cases {
        let late = LateResult()
        let input = AsyncThrowingStream<Data, any Error> { continuation in
          continuation.yield(kilobyte)
          continuation.finish(throwing: error)
        }
        let future = shell("cat; exec sleep 3600").runFuture(input: .sequence(input), onUndelivered: late.onUndelivered)
        #expect(await future.outcome == outcome)
        #expect(reason(future.result?.error) == (outcome == .completed ? Reason("no more") : nil))
        #expect(try await late.result.terminationReason == .uncaughtSignal)
      }
    }

    @Test func `that nobody reads any more is left, and the child ends as any other`() async throws {
      let count = Endless.Count()
      let isReleased = count.isReleased
      let result = try await shell("head -c 10; exec 0<&-; echo; echo done").runFuture(
        input: .sequence(Endless(count: count))
      ).inTime
      #expect(result.isSuccess)
      #expect(result.outputLines == ["xxxxxxxxxx", "done"])
      _ = consume count
      await isReleased.passed()
    }

    @Test func `of a child that has exited is cancelled, also while it waits for a piece`() async throws {
      let isCancelled = Gate("cancelled")
      let result = try await shell("exit 3").runFuture(
        input: .written { _ in
          try await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(3_600))
          } onCancel: {
            isCancelled.open()
          }
        }
      ).inTime
      #expect(result.terminationStatus == 3)
      await isCancelled.passed()
    }

    @Test func `of a run that is cancelled is cancelled, and ends`() async throws {
      let late = LateResult()
      let (isRunning, hasWritten, isCancelled) = (Gate("running"), Gate("written"), Gate("cancelled"))
      // A child that doesn't heed TERM, and ends with its input.
      let future = shell("trap '' TERM; echo ready; cat > /dev/null; exit 5").runFuture(
        input: .written { write in
          try await write(kilobyte)
          hasWritten.open()
          try? await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(3_600))
          } onCancel: {
            isCancelled.open()
          }
          await #expect(throws: CancellationError.self) { try await write(kilobyte) }
        },
        output: .streamed { _ in isRunning.open() },
        stopping: [.send(.terminate)],
        onUndelivered: late.onUndelivered
      )
      await isRunning.passed()
      // A run that is cancelled earlier doesn't come as far as that, or not even to the closure.
      await hasWritten.passed()
      future.cancel()
      await isCancelled.passed()
      #expect(try await late.result.terminationStatus == 5)
    }

    @Test func `that is still being written keeps the future open, and is named`() async throws {
      let mayReturn = Gate("the closure may return")
      let future = shell("exit 3").runFuture(input: .written { _ in await mayReturn.passed() }, label: "deaf")
      #expect(try await future.inTime.terminationStatus == 3)
      let error = try await #require(throws: DrainError.self) { try await future.drain(within: .zero) }
      let input = try #require(error.remaining.last)
      #expect(input.origin.label == "deaf" && input.origin.place.hasPrefix("\(#fileID):"))
      #expect("\(input.kind)".contains("input of process"))
      mayReturn.open()
      await future.drain()
    }

    @Test func `isn't asked for if nothing is started`() async throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/nonexistent/program")
      let count = Endless.Count()
      let isReleased = count.isReleased
      await #expect(throws: CocoaError.self) {
        try await process.runFuture(input: .sequence(Endless(count: count))).inTime
      }
      #expect(count.taken.load(ordering: .relaxed) == 0)
      _ = consume count
      await isReleased.passed()
    }

    @Test func `that fails is ended, so that a child that is left alone can end`() async throws {
      let future = shell("cat > /dev/null").runFuture(
        input: .written { write in
          try await write(Data("x".utf8))
          throw Reason("no more")
        },
        stopping: []
      )
      await #expect(throws: Reason("no more")) { try await future.inTime }
      await future.drain()
    }

    @Test func `may be written by several tasks, each piece as a whole`() async throws {
      let result = try await shell("cat").runFuture(
        input: .written { write in
          try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
              let line = Data((String(repeating: "\(number)", count: 50_000) + "\n").utf8)
              group.addTask { for _ in 0..<4 { try await write(line) } }
            }
            try await group.waitForAll()
          }
        }
      ).inTime
      let lines = result.outputLines
      #expect(lines.count == 32)
      #expect(lines.allSatisfy { $0.count == 50_000 && Set($0).count == 1 })
    }

    // MARK: Files

    @Test func `comes from a file`() async throws {
      let folder = try TemporaryFolder()
      let content = body(of: 1_000_000)
      try content.write(to: folder.file("input"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("link").path,
        withDestinationPath: folder.file("input").path
      )
      for name in ["input", "link"] {
        let result = try await shell("cat").runFuture(input: .file(folder.file(name))).inTime
        #expect(result.standardOutput == content)
      }
    }

    @Test func `of what isn't a file is a failure, and nothing is started`() async throws {
      let folder = try TemporaryFolder()
      // Safe: the string lives through the call.
      #expect(unsafe mkfifo(folder.file("pipe").path, 0o600) == 0)
      let address = try #require(URL(string: "http://localhost/file"))
      for file in [folder.file("missing"), folder.file("pipe"), folder.url, address] {
        let process = shell("cat")
        await #expect(throws: CocoaError.self, "\(file)") { try await process.runFuture(input: .file(file)).inTime }
        #expect(process.processIdentifier == 0)
        // It is as before, and can be run.
        #expect(try await process.runFuture(input: .null).inTime.isSuccess)
      }
    }
  }
#endif
