// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux) && (arch(x86_64) || arch(arm64))
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  @testable import RaceFreeFutureExploring

  /// What the explorer does with a runtime that isn't the one that it was written for.
  @Suite struct TaskLayoutTests {
    /// A fault of a runtime: something isn't where it should be.
    private static let moved: [TaskLayout.Places] = [0x8, -0x8, 0x18].flatMap { distance in
      let parts: [WritableKeyPath<TaskLayout.Places, Int>] = [\.resume, \.status, \.records, \.dependency, \.actor]
      return parts.map { part in
        var places = TaskLayout.Places.expected
        places[keyPath: part] += distance
        return places
      }
    }

    /// Looks at the runtime when no exploration changes it.
    private func find(
      version: UInt32? = 1,
      _ beginnings: Set<UInt>? = TaskLayout.beginnings,
      _ places: TaskLayout.Places = .expected
    ) async -> String {
      await RuntimeControl.turns.take {
        switch TaskLayout.find(version: version, beginnings, places) {
        case .known: "known"
        case .other: "other"
        case .unknown: "unknown"
        }
      }
    }

    @Test func `Each point of interruption is hit by a task that comes to it`() {
      #expect(PointProbe.missing == [])
    }

    @Test func `The runtime of these tests is known`() async {
      #expect(await find() == "known")
    }

    @Test func `A layout in which one part has moved is found out, without a crash`() async {
      for places in Self.moved { #expect(await find(TaskLayout.beginnings, places) == "other", "\(places)") }
    }

    @Test func `Another version, and other functions, are found out`() async {
      #expect(await find(version: 2) == "other")
      #expect(await find(version: 1, nil) == "other")
      #expect(await find(version: 1, [1, 2]) == "other")
    }

    @Test func `A runtime that doesn't say its version is unknown`() async {
      #expect(await find(version: nil) == "unknown")
    }

    @Test func `Tasks aren't explored with another runtime, and the test says so`() async throws {
      let hasRun = Variable(false)
      let report = await Explorer("a race", .exhaustive, runtime: .other, .body { _ in hasRun.value = true }).run()
      #expect(report.verdict == .inconclusive && report.orders == 0 && !report.isComplete && !hasRun.value)
      #expect(
        report.description.hasPrefix(
          "explore \"a race\" INCONCLUSIVE: this toolchain isn't known, so exploring tasks is off\n"
        )
      )
      let issues = try await recordedIssues { report.record() }
      #expect(issues.map { "\($0.severity): \($0.comments.map(\.rawValue).joined())" } == ["warning: \(report)"])
    }

    @Test(.withoutRecording) func `Steps and threads are explored with another runtime`() async {
      let explorer = Explorer(
        "a race",
        .exhaustive,
        runtime: .other,
        .steps { scenario in
          let count = Explored.Atomic(0)
          for name in ["one", "other"] {
            scenario.thread(name) { count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed) }
          }
          scenario.atEnd { count.load(ordering: .relaxed) == 2 ? nil : "one is lost" }
        }
      )
      #expect(await explorer.run().failure == "one is lost")
    }
  }
#endif
