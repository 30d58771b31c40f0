// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureSubprocess
import Subprocess
import Testing

extension SubprocessTests {
  /// What the guide *Cookbook* shows, and what one does next.
  @Suite struct GuideTests {
    @Test func `a program sorts its input`() async throws {
      let sort = Configuration(executable: .name("sort"), arguments: ["-n"])
      let sorting = sort.runFuture { write in try await write(Array("3\n1\n2\n".utf8)) }
      let sorted = try await sorting.value.output
      #expect(sorted == Array("1\n2\n3\n".utf8))
    }

    @Test func `a server is stopped with its scope`() async throws {
      let (scope, server) = (Scope(), shell("trap 'exit 4' INT; kill -INT $$; exec sleep 1000"))
      let run = server.runFuture(
        stopping: [
          .send(signal: .interrupt, toProcessGroup: true, allowedDurationToNextStep: .seconds(2)),
          .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(5)),
        ],
        label: "server"
      )
      scope.add(run)
      #expect(try await run.value.status == .exited(4))
      scope.cancel()
      await scope.drain()
    }

    @Test func `a task that is cancelled stops its child`() async throws {
      let words = FirstWords()
      let sorting = shell("echo ready; exec sleep 1000").runFuture(output: words.output)
      let task = Task { try await sorting.ownedValue }
      _ = try await words.spoken
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      await sorting.drain()
    }
  }
}
