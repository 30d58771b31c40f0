// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @Suite(.serialized, .exitTests) struct ProcessStressTests {
    @Test func `many at the same time, each with its own output`() async throws {
      try await withThrowingTaskGroup(of: (Int, ProcessResult).self) { group in
        for number in 0..<iterations(60) {
          group.addTask {
            let script = "echo $1; yes $1 | head -c 200000 >&2; exit $(($1 % 7))"
            return (number, try await shell(script, "\(number)").runFuture().inTime)
          }
        }
        for try await (number, result) in group {
          #expect(result.output == "\(number)\n")
          #expect(result.standardError.count == 200_000)
          #expect(result.terminationStatus == Int32(number % 7))
        }
      }
    }

    @Test func `children stopped at random moments: each ends once, none is left`() async throws {
      let scripts = [
        "exit 0", "exec sleep 1000", "yes | head -c 300000", "exec yes", "trap '' TERM; exec yes", "cat", "sleep 0.01",
        "echo a; echo b >&2; sleep 0.005; exit 3",
      ]
      let completed = EventLog<LateResult>()
      let stopped = EventLog<LateResult>()
      let counts = EventLog<Int>()
      let started = EventLog<Int32>()
      let kept = LifetimeTracker("what runs keep")
      try await withThrowingTaskGroup(of: Void.self) { group in
        var generator = SeededGenerator(seed: testSeed)
        for _ in 0..<iterations(200) {
          let script = scripts.randomElement(using: &generator) ?? ""
          let delay = Int.random(in: 0...20_000, using: &generator)
          let streams = Bool.random(using: &generator)
          group.addTask {
            let late = LateResult()
            let instance = kept.token()
            let process = shell(script)
            let future = process.runFuture(
              input: .data(Data(repeating: 1, count: 200_000)),
              output: streams ? .streamed { counts.add($0.count) } : .collected,
              stopping: [.send(.terminate, allowing: .milliseconds(10)), .send(.kill)]
            ) { result in
              instance.touch()
              late.onUndelivered(result)
            }
            future.cancel(after: .microseconds(delay))
            _ = await future.outcome
            switch future.result {
            case .success:
              started.add(process.processIdentifier)
              completed.add(late)
            case .failure(ProcessRunError.outputTooLong), nil:
              // If the cancellation comes late, `yes` has written more than is collected. Launched or not, it is told
              // that it is over.
              if try await late.end != nil { started.add(process.processIdentifier) }
              stopped.add(late)
            case .failure(let error): throw error
            }
          }
        }
        try await group.waitForAll()
      }
      try await kept.allGone(within: .seconds(3_600))
      #expect(completed.events.allSatisfy { $0.count == 0 })
      #expect(stopped.events.allSatisfy { $0.count == 1 })
      #expect(childrenOfThisProcess(named: ["sleep", "yes", "cat"], of: Set(started.events)).isEmpty)
    }

    #if os(Linux)
      /// In a process of its own, where no other test opens pipes.
      @Test func `no descriptor is left open and none is closed twice`() async {
        await #expect(processExitsWith: .success) {
          /// Runs in rows of ten, each way of ending once.
          func row() async throws {
            let missing = Process()
            missing.executableURL = URL(fileURLWithPath: "/nonexistent")
            let late = LateResult()
            let words = FirstWords()
            let cancelled = shell("echo ready; exec sleep 1000").runFuture(
              input: .data(Data(repeating: 1, count: 100_000)),
              output: words.output,
              onUndelivered: late.onUndelivered
            )
            _ = try await words.spoken
            cancelled.cancel()
            _ = try await late.result
            await #expect(throws: (any Error).self) {
              try await missing.runFuture(input: .data(Data([1]))).inTime
            }
            for script in ["exit 0", "cat", "exit 1", "yes | head -c 100000", "echo e >&2"] {
              _ = try await shell(script).runFuture(input: .data(Data(repeating: 1, count: 100_000))).inTime
            }
            _ = try await shell("cat").runFuture(input: .null, output: .discarded, error: .discarded).inTime
          }
          /// Kinds of descriptors that a run makes: those that others make come and go.
          func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
              let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
              return target?.hasPrefix("pipe:") == true || target?.contains("pidfd") == true
            }.count
          }
          try await row()
          let before = try descriptors()
          for _ in 0..<iterations(25) { try await row() }
          let after = try descriptors()
          #expect(after <= before, "\(before) before, \(after) after 200 runs")
        }
      }
    #endif

    /// Those of the children that still run: other tests have children, too.
    private func childrenOfThisProcess(named names: [String], of numbers: Set<Int32>) -> [String] {
      #if os(Linux)
        let own = "\(ProcessInfo.processInfo.processIdentifier)"
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { entry in
          guard let number = Int32(entry), numbers.contains(number) else { return false }
          guard let stat = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8) else { return false }
          let fields = stat.split(separator: " ")
          return fields.count > 3 && fields[3] == own && fields[2] != "Z" && names.contains { fields[1] == "(\($0))" }
        }
      #else
        return []
      #endif
    }
  }
#endif
