// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureSubprocess
import RaceFreeFutureTesting
import Subprocess
import Synchronization
import Testing

extension SubprocessTests {
  @Suite struct StreamTests {
    // MARK: Output

    @Test func `several megabytes in and out come whole`() async throws {
      let input = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
      let result = try await shell("tee /dev/stderr").runFuture { try await $0(input) }.value
      #expect(result.output == input && result.error == input)
    }

    @Test func `pieces come in order, one at a time, before the completion`() async throws {
      let pieces = EventLog<[UInt8]>()
      let inside = Atomic(0)
      let script = "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done"
      let run = shell(script).runFuture(
        output: .pieces { piece in
          #expect(inside.add(1, ordering: .relaxed).newValue == 1)
          await Task.yield()
          pieces.add(piece)
          #expect(inside.subtract(1, ordering: .relaxed).newValue == 0)
        }
      )
      #expect(try await run.value.status == .exited(0))
      let text = String(decoding: pieces.events.joined(), as: UTF8.self)
      #expect(text == (0..<20000).map { "\($0)\n" }.joined())
    }

    @Test func `a slow handler holds the child back, and gets all that it wrote before it exited`() async throws {
      let (begun, goOn) = (Gate("the first piece"), Gate("the handler may return"))
      let written = Atomic(0)
      let run = shell("head -c 10000000 /dev/zero; echo done >&2").runFuture(
        output: .pieces { piece in
          begun.open()
          await goOn.passed()
          written.add(piece.count, ordering: .relaxed)
        }
      )
      await begun.passed()
      #expect(run.isPending && written.load(ordering: .relaxed) == 0)
      goOn.open()
      #expect(try await run.value.error == Array("done\n".utf8))
      #expect(written.load(ordering: .relaxed) == 10_000_000)
    }

    @Test func `a handler that cancels gets no further piece`() async throws {
      let late = LateResult()
      let pieces = EventLog<Int>()
      let stop = Future()
      let run = shell("exec yes").runFuture(
        output: .pieces { piece in
          pieces.add(piece.count)
          stop.cancel()
        },
        onUndelivered: late.onUndelivered
      )
      stop.cascadeCancellation(to: run)
      #expect(try await late.status == .signaled(SIGTERM))
      #expect(pieces.events.count == 1)
    }

    @Test func `a handler that throws fails the run, and stops the child`() async throws {
      let late = LateResult()
      let failing = shell("exec yes").runFuture(
        output: .lines { _ in throw Reason() },
        onUndelivered: late.onUndelivered
      )
      await #expect(throws: Reason.self) { _ = try await failing.value }
      await failing.drain()
      #expect(try await late.status == .signaled(SIGTERM))
    }

    @Test func `lines come without their ends, also the last one, and what isn't UTF-8 is replaced`() async throws {
      let lines = EventLog<String>()
      let script = #"printf 'one\r\ntwo\rhalf\n\n'; sleep 0.05; printf '\303'; sleep 0.05; printf '\251\377\nlast'"#
      _ = try await shell(script).runFuture(output: .lines { lines.add($0) }).value
      #expect(lines.events == ["one", "two\rhalf", "", "é\u{FFFD}", "last"])
    }

    @Test func `what is collected, and a line, has a limit beyond which the child is stopped`() async throws {
      let outputs: [(ChildOutput, Int)] = [
        (.collected(limit: 999), 1000), (.lines(limit: 999) { _ in }, 1001), (.collected(limit: 0), 1),
      ]
      for (output, count) in outputs {
        let late = LateResult()
        let script = "head -c \(count) /dev/zero; exec sleep 1000"
        let run = shell(script).runFuture(output: output, onUndelivered: late.onUndelivered)
        await #expect(throws: ChildOutputError.self) { _ = try await run.value }
        #expect(try await late.status == .signaled(SIGTERM))
      }
      let whole = try await shell("head -c 999 /dev/zero").runFuture(output: .collected(limit: 999)).value
      #expect(whole.output.count == 999)
      let line = EventLog<Int>()
      _ = try await shell("head -c 999 /dev/zero; echo").runFuture(
        output: .lines(limit: 999) { line.add($0.utf8.count) }
      )
      .value
      #expect(line.events == [999])
    }

    // MARK: Input

    @Test func `a child that doesn't read its input ends as any other`() async throws {
      let input = [UInt8](repeating: 0x61, count: 4_000_000)
      #expect(try await shell("exit 5").runFuture { try await $0(input) }.value.status == .exited(5))
      let half = try await shell("head -c 10; exec 0<&-; echo; yes | head -c 100000 >&2").runFuture { write in
        while true { try await write(input) }
      }.value
      #expect(half.outputText == "aaaaaaaaaa\n" && half.error.count == 100_000)
      #expect(try await shell("cat; echo end").runFuture().value.outputText == "end\n")
    }

    @Test func `a dialog: the child has answered before the next piece is written`() async throws {
      let (first, answers) = (Gate("the first answer"), EventLog<String>())
      let run = shell("while read line; do echo got $line; done; echo end").runFuture(
        input: { write in
          try await write(Array("one\n".utf8))
          await first.passed()
          try await write(Array("two\n".utf8))
        },
        output: .lines { line in
          answers.add(line)
          first.open()
        }
      )
      #expect(try await run.value.status.isSuccess)
      #expect(answers.events == ["got one", "got two", "end"])
    }

    @Test func `input is asked for no faster than the child reads`() async throws {
      let slow = Atomic(0)
      let quick = Atomic(0)
      let kilobyte = [UInt8](repeating: 0x78, count: 1000)
      let (slowRead, quickRead) = (FirstWords(), FirstWords())
      let slowRun = shell("head -c 100000 > /dev/null; echo read; exec sleep 3600").runFuture(
        input: { write in
          while true {
            slow.add(1, ordering: .relaxed)
            try await write(kilobyte)
          }
        },
        output: slowRead.output
      )
      _ = try await slowRead.spoken
      // Another child reads a hundred times as much meanwhile.
      let quickRun = shell("head -c 10000000 > /dev/null; echo read; exec cat > /dev/null").runFuture(
        input: { write in
          while true {
            quick.add(1, ordering: .relaxed)
            try await write(kilobyte)
          }
        },
        output: quickRead.output
      )
      _ = try await quickRead.spoken
      #expect(quick.load(ordering: .relaxed) >= 10_000)
      // What the child has read and what a pipe holds, which is a megabyte at most.
      #expect(slow.load(ordering: .relaxed) < 2000)
      slowRun.cancel()
      quickRun.cancel()
      await slowRun.drain()
      await quickRun.drain()
    }

    @Test func `input that fails makes the run fail, and stops the child`() async throws {
      for (error, outcome) in [(Reason(), .completed), (CancellationError(), .cancelled)]
        as [(any Error, Future.Outcome)]
      {
        let late = LateResult()
        let run = shell("cat; exec sleep 3600").runFuture(
          input: { write in
            try await write([0x78])
            throw error
          },
          onUndelivered: late.onUndelivered
        )
        #expect(await run.outcome == outcome)
        if outcome == .completed { #expect(throws: Reason.self) { _ = try run.result?.get() } }
        #expect(try await late.status == .signaled(SIGTERM))
      }
    }

    @Test func `a writer that waits for something else is cancelled when the child has exited`()
      async throws
    {
      let cancelled = Gate("cancelled")
      let run = shell("exit 3").runFuture { _ in
        do { try await Task.sleep(for: .seconds(3600)) } catch { cancelled.open() }
      }
      #expect(try await run.value.status == .exited(3))
      await cancelled.passed()
    }

    @Test func `the writer is cancelled with the run, and its child's input ends`() async throws {
      let late = LateResult()
      let (running, written, cancelled) = (Gate("running"), Gate("written"), Gate("cancelled"))
      // A child that doesn't heed TERM, and ends with its input.
      let run = shell("trap '' TERM; echo ready; cat > /dev/null; exit 5").runFuture(
        input: { write in
          try await write([0x78])
          written.open()
          do { try await Task.sleep(for: .seconds(3600)) } catch { cancelled.open() }
        },
        output: .pieces { _ in running.open() },
        stopping: .terminate(allowing: .seconds(3600)),
        onUndelivered: late.onUndelivered
      )
      await running.passed()
      await written.passed()
      run.cancel()
      await cancelled.passed()
      #expect(try await late.status == .exited(5))
    }
  }
}
