// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// One property of one type, and the tool that looks whether it holds.
package struct Hunt: Sendable {
  /// The argument with which the program runs it alone.
  package var name: String
  package var package: String
  var type: String
  /// What should hold, in one sentence.
  var property: String
  var tool: String
  /// What the table says that is found, in one of these words; empty if nothing.
  var known: [String] = []
  /// What is to be said about it if it is found not to hold: whether it is promised, and whether it is known.
  var remark = ""
  package var run: @Sendable () async -> Catch

  package static let all: [Hunt] =
    streams + locks + operations + loading + channels + combinators + logging + metrics + services + nio + nioStreams
    + pools + publishers + servers + clients
}

extension Hunt {
  /// Returns true if the table says that this is found.
  package func expects(_ fault: String) -> Bool { known.contains { fault.contains($0) } }
}

/// What a hunt came home with.
package struct Catch: Sendable {
  /// Whether the property held wherever it was looked at.
  package var holds: Bool
  /// How much was looked at.
  package var effort: String
  /// What is wrong, in one sentence; empty if nothing was found.
  package var fault = ""
  /// The tool's report.
  package var report: String
}

extension Catch {
  init(_ exploration: Exploration) {
    let all = exploration.isComplete ? "all \(grouped(exploration.orders))" : grouped(exploration.orders)
    let control = exploration.uncontrolled.map { ", not under control: \($0)" } ?? ""
    self.init(
      holds: exploration.passed || exploration.failure == nil && exploration.uncontrolled != nil,
      effort: "\(all) \(exploration.orders == 1 ? "order" : "orders")\(control)",
      fault: exploration.failure ?? "",
      report: exploration.description
    )
  }

  package init<Outcome>(_ race: RaceReport<Outcome>) {
    let failures = race.outcomes.filter { $0.verdict.isFailure }
    let faults = failures.map {
      "\($0.count) rounds ended with \($0.value)\($0.meaning.isEmpty ? "" : ": \($0.meaning)")"
    }
    let fault = faults.first ?? race.errors.first.map { "\($0.error)" } ?? "a call didn't return"
    self.init(
      // With few rounds as well: their number is told.
      holds: race.verdict != .failed,
      effort: "\(grouped(race.rounds)) rounds, \(Int(race.overlap * 100)) % overlapping",
      fault: race.verdict != .failed ? "" : fault,
      report: race.description
    )
  }

  package init(_ stress: LinearizabilityReport) {
    self.init(
      // With few histories that overlap as well: their number is told.
      holds: stress.verdict != .failed,
      effort:
        "\(grouped(stress.histories)) \(stress.histories == 1 ? "history" : "histories"), \(grouped(stress.differentHistories)) different",
      fault: stress.verdict != .failed ? "" : "not linearizable",
      report: stress.description
    )
  }
}

/// A number with commas, as in the reports.
func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }

/// Explores, with a bound that keeps a hunt under a minute.
package func explored(
  _ name: String,
  orders: Int = 20_000,
  maxSteps: Int = 1_000,
  body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void
) async -> Catch {
  Catch(await exploreTasks(name, .exhaustive(maxOrders: orders, maxSteps: maxSteps, seed: 14), body: body))
}
