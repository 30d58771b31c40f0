// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureSubprocess
import RaceFreeFutureTesting
import Subprocess
import Testing

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

extension SubprocessTests {
  @Suite struct OutcomeTests {
    @Test func `the result has status and both outputs`() async throws {
      let result = try await shell("echo out; echo err >&2; exit 3").runFuture().value
      #expect(result == ChildResult(status: .exited(3), output: Array("out\n".utf8), error: Array("err\n".utf8)))
      #expect(try await shell("kill -9 $$").runFuture().value.status == .signaled(SIGKILL))
      #expect(try await shell("exit 0").runFuture().value == ChildResult(status: .exited(0)))
    }

    @Test func `a status other than 0 is an error for those who ask`() async throws {
      let run = shell("echo first >&2; echo no such thing >&2; exit 2").runFuture()
      let error = await #expect(throws: ChildExitError.self) { try await run.value.checkSuccess() }
      #expect(error.map { "\($0)" }?.hasSuffix(": no such thing") == true, "\(error as Any)")
      #expect(try await shell("echo fine").runFuture().value.checkSuccess().outputText == "fine\n")
    }

    @Test func `dropping the future changes nothing`() async throws {
      let words = FirstWords()
      _ = shell("echo here").runFuture(output: words.output)
      #expect(try await words.spoken == "here\n")
    }

    @Test(arguments: ["/nonexistent/program", "/tmp", "/etc/passwd"])
    func `what can't be launched is a failure, and leaves nothing behind`(path: String) async throws {
      let run = Configuration(executable: .path(FilePath(path))).runFuture()
      let error = await #expect(throws: SubprocessError.self) { _ = try await run.value }
      #expect(error?.code == .executableNotFound || error?.code == .spawnFailed, "\(error as Any)")
      await run.drain()
    }

    @Test func `a grandchild that keeps the output is not waited for`() async throws {
      let words = FirstWords()
      let result = try await shell("sleep 1000 & echo $! >&2; echo child; exit 6").runFuture(error: words.output).value
      let grandchild = try await words.spoken
      #expect(result == ChildResult(status: .exited(6), output: Array("child\n".utf8)))
      #expect(isRunning(grandchild))
      killProcess(grandchild)
    }

    // MARK: Signals

    #if os(Linux)
      @Test func `a child neither blocks nor ignores signals, although the program does`() async {
        await #expect(processExitsWith: .success) {
          _ = signal(SIGTERM, SIG_IGN)
          _ = signal(SIGINT, SIG_IGN)
          var all = sigset_t()
          unsafe sigfillset(&all)
          unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
          let result = try await Configuration(executable: .name("cat"), arguments: ["/proc/self/status"]).runFuture()
            .value
          let lines = result.outputText.split(separator: "\n")
          for name in ["SigBlk", "SigIgn"] {
            let line = try #require(lines.first { $0.hasPrefix(name) })
            let bits = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
            // 32 and 33 belong to the C library.
            #expect(bits & (1 << 31 - 1) == 0, "\(line)")
          }
        }
      }

      @Test func `where the signal CHLD is ignored, a lost status isn't a success`() async {
        await #expect(processExitsWith: .success) {
          _ = signal(SIGCHLD, SIG_IGN)
          let run = shell("exit 3").runFuture()
          await #expect(throws: SubprocessError.self) { _ = try await run.value }
        }
      }

      @Test func `closed standard streams aren't taken for something else`() async {
        await #expect(processExitsWith: .success) {
          for descriptor: Int32 in 0...1 { close(descriptor) }
          let result = try await shell("cat; echo out; echo err >&2").runFuture { try await $0(Array("in\n".utf8)) }
            .value
          #expect(result.outputText == "in\nout\n" && result.error == Array("err\n".utf8))
        }
      }
    #endif
  }
}
