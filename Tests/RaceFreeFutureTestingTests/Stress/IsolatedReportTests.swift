// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  @Suite(.exitTests) struct IsolatedReportTests {
    @Test func `a crash in a process of its own is a report that failed`() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await reportingCrashes {
          let number = Atomic(0)
          await race(
            "trap",
            .init(seed: 42),
            make: { number.add(1, ordering: .relaxed).newValue },
            actors: { if $0 == 77 { fatalError("that's all") } },
            { _ in },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
        }
      }
      let report = IsolatedReport(result.standardErrorContent)
      #expect(!report.passed)
      #expect(report.description.hasPrefix("FAILED  in a process of its own, which crashed\n"), "\(report)")
      #expect(report.description.contains("that's all"), "\(report)")
      #expect(report.description.contains("\n  actor 1: round 77, and crashed\n"), "\(report)")
      #expect(report.description.contains("RACEFREEFUTURE_SEED=42"), "\(report)")
    }

    @Test(arguments: [false, true])
    func `an order that crashes is drawn when it is replayed`(isMended: Bool) async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) { [isMended] in
        await reportingCrashes {
          await exploreTasks("resumed once", .replay("00")) { _ in
            await withCheckedContinuation { continuation in
              let resumer = Task(name: "resumer") { if !isMended { continuation.resume() } }
              _ = resumer
              continuation.resume()
            }
          }
        }
      }
      let report = IsolatedReport(result.standardErrorContent)
      #expect(report.passed == isMended, "\(report)")
      #expect(report.description.contains(" resumer\n") != isMended, "\(report)")
      #expect(report.description.contains(" crashes\n") != isMended, "\(report)")
    }

    @Test func `a race that fails there fails here`() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await reportingCrashes {
          await race(
            "wrong",
            .init(rounds: 10),
            make: { 0 },
            actors: { $0 },
            { $0 },
            outcome: { _, _, _ in 1 },
            expect: [.forbidden(1, "one")]
          )
        }
      }
      let report = IsolatedReport(result.standardErrorContent)
      #expect(!report.passed)
      #expect(report.description.hasPrefix("FAILED  in a process of its own\n"), "\(report)")
      #expect(report.description.contains("\"1\" is forbidden (one)"), "\(report)")
    }

    @Test func `a race that passes there passes here`() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await reportingCrashes {
          await race(
            "right",
            .init(rounds: 10),
            make: { 0 },
            actors: { $0 },
            { $0 },
            outcome: { _, _, _ in 1 },
            expect: [.acceptable(1)]
          )
        }
      }
      IsolatedReport(result.standardErrorContent).record()
    }

    @Test func `what ends too early didn't pass`() {
      #expect(!IsolatedReport([]).passed)
      #expect(!IsolatedReport(Array("nothing".utf8)).passed)
      let long = IsolatedReport(Array((1...1_000).map { "line \($0)\n" }.joined().utf8))
      #expect(long.description.split(separator: "\n").count == 401 && long.description.hasSuffix("line 1000"))
    }
  }
#endif
