// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureSubprocess
import RaceFreeFutureTesting
import Subprocess
import Testing

extension SubprocessTests {
  @Suite struct StoppingTests {
    @Test func `cancelled at once, no child is left`() async throws {
      let runs = (0..<50).map { _ in shell("exec sleep 1000").runFuture(stopping: .terminate(allowing: .seconds(3600)))
      }
      for run in runs { run.cancel() }
      for run in runs { await run.drain() }
      #expect(children().isEmpty)
    }

    @Test func `the child gets the signal TERM, however the future is decided`() async throws {
      for completes in [false, true] {
        let (late, words) = (LateResult(), FirstWords())
        let run = shell("echo ready; exec sleep 1000").runFuture(
          output: words.output,
          stopping: .terminate(allowing: .seconds(3600)),
          onUndelivered: late.onUndelivered
        )
        _ = try await words.spoken
        if completes { run.complete(with: ChildResult(status: .exited(77))) } else { run.cancel() }
        #expect(try await late.status == .signaled(SIGTERM))
        if completes { #expect(try await run.value.status == .exited(77)) }
      }
    }

    @Test func `a child may tidy up when it is told to end`() async throws {
      let (late, words) = (LateResult(), FirstWords())
      // It says more than a pipe holds, so it ends only if somebody reads.
      let script =
        "trap 'head -c 1000000 /dev/zero && exit 9; exit 8' TERM; echo ready >&2; while :; do sleep 0.01; done"
      let run = shell(script).runFuture(
        error: words.output,
        stopping: .terminate(allowing: .seconds(3600)),
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      run.cancel()
      #expect(try await late.status == .exited(9))
    }

    @Test(arguments: [Duration.milliseconds(50), .zero])
    func `a child that ignores TERM is killed after the interval`(interval: Duration) async throws {
      let (late, words) = (LateResult(), FirstWords())
      let run = shell("trap '' TERM; echo ready; while :; do sleep 0.01; done").runFuture(
        output: words.output,
        stopping: .terminate(allowing: interval),
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      run.cancel()
      #expect(try await late.status == .signaled(SIGKILL))
    }

    @Test func `a child gets one signal after the other, until it ends`() async throws {
      let (late, words) = (LateResult(), FirstWords())
      // At TERM it only ends if it got INT before.
      let script = "trap '' TERM; trap 'trap \"exit 7\" TERM' INT; echo ready; while :; do sleep 0.01; done"
      let run = shell(script).runFuture(
        output: words.output,
        stopping: [
          .send(signal: .interrupt, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(200)),
          .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(3600)),
        ],
        onUndelivered: late.onUndelivered
      )
      _ = try await words.spoken
      run.cancel()
      #expect(try await late.status == .exited(7))
    }

    @Test func `a time limit and a token stop the child`() async throws {
      let (late, words, view) = (LateResult(), FirstWords(), Future(label: "view"))
      let run = shell("echo ready; exec sleep 1000").runFuture(output: words.output, onUndelivered: late.onUndelivered)
      view.cascadeCancellation(to: run)
      _ = try await words.spoken
      view.cancel(after: .milliseconds(20))
      await #expect(throws: TimeoutError.self) { _ = try await run.value }
      #expect(try await late.status == .signaled(SIGTERM))
    }

    @Test func `cancelled after the completion, nothing happens`() async throws {
      let late = LateResult()
      let run = shell("exit 0").runFuture(onUndelivered: late.onUndelivered)
      _ = try await run.value
      run.cancel()
      await run.drain()
      #expect(run.isCompleted && !late.isThere)
    }

    // MARK: Scopes

    @Test func `a scope names the child that doesn't end, and waits until it has`() async throws {
      let scope = Scope(label: "scope")
      let (late, words) = (LateResult(), FirstWords())
      let run = shell("trap '' TERM; echo $$; while :; do sleep 0.01; done").runFuture(
        output: words.output,
        stopping: .terminate(allowing: .milliseconds(200)),
        label: "stubborn",
        onUndelivered: late.onUndelivered
      )
      scope.add(run)
      let number = try await words.spoken.filter(\.isNumber)
      scope.cancel()
      let error = await #expect(throws: DrainError.self) { try await scope.drain(within: .zero) }
      #expect(error.map { "\($0)" }?.contains("process \(number) of stubborn") == true, "\(error as Any)")
      await scope.drain()
      #expect(late.isThere)
    }

    @Test func `a writer that goes on is named`() async throws {
      let mayReturn = Gate("the closure may return")
      let run = shell("exit 3").runFuture(input: { _ in await mayReturn.passed() }, label: "deaf")
      let error = await #expect(throws: DrainError.self) { try await run.drain(within: .milliseconds(200)) }
      #expect(error.map { "\($0)" }?.contains("of deaf") == true, "\(error as Any)")
      mayReturn.open()
      #expect(try await run.value.status == .exited(3))
      await run.drain()
    }

    #if os(Linux)
      // MARK: Groups

      @Test func `the signals go to the child's whole group`() async throws {
        let words = FirstWords()
        let run = shell("(echo $(exec sh -c 'echo $PPID'); exec sleep 1000) & wait").runFuture(
          output: words.output,
          stopping: .terminate(allowing: .seconds(3600)),
          remaining: .seconds(3600)
        )
        let grandchild = try await words.spoken
        #expect(isRunning(grandchild))
        run.cancel()
        await run.drain()
        #expect(!isRunning(grandchild))
      }

      @Test func `what is left of the group when the child has exited is killed, and waited for`() async throws {
        let (late, words) = (LateResult(), FirstWords())
        let script = "(trap '' TERM; echo $(exec sh -c 'echo $PPID'); exec sleep 1000) & exec sleep 1000"
        let run = shell(script).runFuture(
          output: words.output,
          remaining: .milliseconds(50),
          onUndelivered: late.onUndelivered
        )
        let grandchild = try await words.spoken
        run.cancel()
        #expect(try await late.status == .signaled(SIGTERM))
        await run.drain()
        #expect(!isRunning(grandchild))
      }

      @Test func `a process that has left the group gets no signal, and isn't waited for`() async throws {
        let words = FirstWords()
        let run = shell("setsid sh -c 'echo $$; exec sleep 1000' & exec sleep 1000").runFuture(output: words.output)
        let leaver = try await words.spoken
        run.cancel()
        await run.drain()
        #expect(isRunning(leaver))
        killProcess(leaver)
      }

      // MARK: Many

      @Test func `a hundred at once, each with its own output`() async throws {
        try await withThrowingTaskGroup(of: (Int, ChildResult).self) { group in
          for number in 0..<100 {
            group.addTask {
              let script = "echo $1; yes $1 | head -c 200000 >&2; exit $(($1 % 7))"
              return (number, try await shell(script, "\(number)").runFuture().value)
            }
          }
          for try await (number, result) in group {
            #expect(result.outputText == "\(number)\n" && result.error.count == 200_000)
            #expect(result.status == .exited(Int32(number % 7)))
          }
        }
        #expect(children().isEmpty)
      }

      @Test func `cancelled at random moments: each is told once, and no child, zombie or descriptor is left`() async {
        await #expect(processExitsWith: .success) {
          let scripts = [
            "exit 0", "exec sleep 1000", "yes | head -c 300000", "exec yes", "trap '' TERM; exec yes", "cat",
            "echo a; echo b >&2; sleep 0.005; exit 3", "sleep 1000 & exit 1",
          ]
          func round(_ count: Int, _ generator: inout SeededGenerator) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
              for _ in 0..<count {
                let script = scripts.randomElement(using: &generator) ?? ""
                let delay = Int.random(in: 0...20_000, using: &generator)
                let output = Bool.random(using: &generator) ? ChildOutput.pieces { _ in } : .collected(limit: 1 << 20)
                group.addTask {
                  let late = EventLog<ChildResult>()
                  let run = shell(script).runFuture(
                    input: { try await $0([UInt8](repeating: 1, count: 200_000)) },
                    output: output,
                    stopping: .terminate(allowing: .milliseconds(10)),
                    remaining: .zero,
                    onUndelivered: { late.add($0) }
                  )
                  run.cancel(after: .microseconds(delay))
                  _ = await run.outcome
                  await run.drain()
                  // One that has written too much has failed, and how it ended is told as well.
                  let isDelivered = if case .success? = run.result { true } else { false }
                  #expect(late.events.count <= (isDelivered ? 0 : 1), "\(script): \(run), \(late.events)")
                }
              }
              try await group.waitForAll()
            }
          }
          var generator = SeededGenerator(seed: 1)
          try await round(20, &generator)
          let before = try openDescriptors()
          for _ in 0..<10 { try await round(20, &generator) }
          let after = try openDescriptors()
          #expect(after <= before, "\(before) before, \(after) after 200 runs")
          #expect(children().isEmpty, "\(children())")
        }
      }
    #endif
  }
}

/// The children of this program, zombies too.
private func children() -> [String] {
  let own = "\(ProcessInfo.processInfo.processIdentifier)"
  return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { entry in
    guard Int32(entry) != nil, let stat = FileManager.default.contents(atPath: "/proc/\(entry)/stat") else {
      return false
    }
    let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 1 && fields[1] == own
  }
}

/// The number of open pipes and descriptors of processes: others come and go.
private func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
    return target?.hasPrefix("pipe:") == true || target?.contains("pidfd") == true
  }.count
}
