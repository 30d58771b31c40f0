// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct KeptFailureTests {
  private struct Report: TestReport {
    let verdict: TestVerdict
    let description: String
  }

  private let folder = NSTemporaryDirectory() + "RaceFreeFuture-\(UUID().uuidString)/a/b"

  @Test func `the seed of a report that failed is there until the test passes`() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = KeptFailure(folder: folder, "a \"race\"", "`a test`()")
    #expect(kept.seed == nil)
    kept.note(Report(verdict: .failed, description: "\(seedVariable)=1 quoted\nagain: \(seedVariable)=42 swift test"))
    #expect(kept.seed == 42)
    #expect(KeptFailure(folder: folder, "a \"race\"", "`a test`()").seed == 42)
    #expect(KeptFailure(folder: folder, "another", "`a test`()").seed == nil)
    #expect(chosenSeed(nil, kept) == 42 && chosenSeed(7, kept) == 7)
    kept.note(Report(verdict: .failed, description: "again: \(seedVariable)=43 swift test --filter 'a test'"))
    #expect(kept.seed == 43)
    kept.note(Report(verdict: .passed, description: "again: \(seedVariable)=43"))
    #expect(kept.seed == nil)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) == [])
  }

  @Test func `files are named after their tests, and two tests never share one`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let one = KeptFailure(folder: folder, "a/b", "`it's late`()")
    let other = KeptFailure(folder: folder, "a-b", "`it's late`()")
    #expect(one.path.hasPrefix(folder + "/it-s-late-a-b-") && one.path.hasSuffix(".txt"))
    #expect(one.path != other.path)
    #expect(KeptFailure(folder: folder, String(repeating: "name ", count: 100), "f()").path.count < folder.count + 110)
  }

  @Test func `a file that says something else has no seed`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = KeptFailure(folder: folder, "race", "f()")
    for text in ["", "nothing", "\(seedVariable)=", "\(seedVariable)=x", "\(seedVariable)=99999999999999999999"] {
      try text.write(toFile: kept.path, atomically: true, encoding: .utf8)
      #expect(kept.seed == nil, "\(text)")
    }
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(.exitTests) func `a race that fails is tried with the same seed the next time, and so is one that crashed`()
      async throws
    {
      try await #require(processExitsWith: .success) {
        let folder = NSTemporaryDirectory() + "RaceFreeFuture-\(UUID().uuidString)"
        // The texts are copied.
        unsafe setenv("RACEFREEFUTURE_FAILURES", folder, 1)
        unsafe unsetenv("RACEFREEFUTURE_SEED")
        func run(_ isRight: Bool) async -> RaceReport<Bool> {
          await withoutRecording {
            await race(
              "kept",
              .init(rounds: 10),
              make: { 0 },
              actors: { $0 },
              { $0 },
              outcome: { _, _, _ in isRight },
              expect: [.acceptable(true)]
            )
          }
        }
        let first = await run(false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 1)
        let text = try String(contentsOfFile: folder + "/" + files[0], encoding: .utf8)
        #expect(text == "\(first)\n")
        let second = await run(false)
        #expect(second.seed == first.seed)
        let third = await run(true)
        #expect(third.seed == first.seed && third.passed)
        let fourth = await run(true)
        #expect(fourth.seed != first.seed)
        try FileManager.default.removeItem(atPath: folder)
      }
    }

    @Test(.exitTests) func `a crash is kept as well`() async throws {
      let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let folder = NSTemporaryDirectory() + "RaceFreeFuture-\(UUID().uuidString)"
        // The texts are copied.
        unsafe setenv("RACEFREEFUTURE_FAILURES", folder, 1)
        printToStandardError("folder: \(folder)")
        _ = await race(
          "crashes",
          .init(seed: 77),
          make: { 0 },
          actors: { (_: Int) -> Void in fatalError("that's all") },
          { $0 },
          outcome: { _, _, _ in true },
          expect: [.acceptable(true)],
          function: "here"
        )
      }
      let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
      let folder = try #require(errors.split(separator: "\n").first { $0.hasPrefix("folder: ") }?.dropFirst(8))
      defer { try? FileManager.default.removeItem(atPath: String(folder)) }
      let kept = KeptFailure(folder: String(folder), "crashes", "here")
      #expect(kept.seed == 77)
      let text = try String(contentsOfFile: kept.path, encoding: .utf8)
      #expect(text.contains("during the race \"crashes\""), "\(text)")
    }
  #endif
}
