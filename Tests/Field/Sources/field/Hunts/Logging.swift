// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CoreMetrics
import InMemoryLogging
import Logging
import MetricsTestKit
import RaceFreeFutureTesting

extension Hunt {
  static let logging = [
    Hunt(
      name: "log.in-memory",
      package: "swift-log",
      type: "`InMemoryLogHandler`",
      property: "Its entries are those that were logged since it was cleared, in order",
      tool: "linearizabilityStress"
    ) {
      Catch(
        await linearizabilityStress(
          "InMemoryLogHandler",
          make: { LogBox() },
          model: [String](),
          operations: [
            .init("log(a)", { $0.log("a") }, model: { $0.append("a") }),
            .init("log(b)", { $0.log("b") }, model: { $0.append("b") }),
            .init("clear()", { $0.handler.clear() }, model: { $0 = [] }),
            .init("entries", { $0.handler.entries.map { "\($0.message)" } }, model: { $0 }),
          ]
        )
      )
    },
    Hunt(
      name: "log.metadata",
      package: "swift-log",
      type: "`Logger`",
      property: "Copies that two threads change keep their own metadata",
      tool: "race"
    ) {
      Catch(
        await race(
          "two copies of a logger",
          make: { LogBox() },
          actors: { $0.log("a", tagged: "1") },
          { $0.log("b", tagged: "2") },
          outcome: { box, _, _ in
            box.handler.entries.map { "\($0.message)\($0.metadata["tag"] ?? "-")" }.sorted().joined(separator: " ")
          },
          expect: [.acceptable("a1 b2")]
        )
      )
    },
  ]

  static let metrics = [
    Hunt(
      name: "metrics.counter",
      package: "swift-metrics",
      type: "`TestCounter`",
      property: "Increments of two threads all count, and a reset sets all to nothing",
      tool: "linearizabilityStress"
    ) {
      Catch(
        await linearizabilityStress(
          "TestCounter",
          make: { CounterBox() },
          model: Int64(0),
          operations: [
            .init("increment(by: 1)", { $0.counter.increment(by: 1) }, model: { $0 += 1 }),
            .init("increment(by: 2)", { $0.counter.increment(by: 2) }, model: { $0 += 2 }),
            .init("reset()", { $0.counter.reset() }, model: { $0 = 0 }),
            .init("totalValue", { $0.counter.totalValue }, model: { $0 }),
          ]
        )
      )
    },
    Hunt(
      name: "metrics.floating",
      package: "swift-metrics",
      type: "`FloatingPointCounter`",
      property: "Halves that four threads add make wholes",
      tool: "race"
    ) {
      Catch(
        await race(
          "four halves",
          make: { FloatingBox() },
          actors: 4,
          each: { box, _ in box.counter.increment(by: 0.5) },
          outcome: { box, _ in box.total },
          expect: [.acceptable(2)]
        )
      )
    },
    Hunt(
      name: "metrics.same",
      package: "swift-metrics",
      type: "`TestMetrics`",
      property: "Two threads that ask for the same counter get the same one",
      tool: "race"
    ) {
      Catch(
        await race(
          "makeCounter, twice",
          make: { TestMetrics() },
          actors: { ObjectIdentifier($0.makeCounter(label: "c", dimensions: []) as AnyObject) },
          { ObjectIdentifier($0.makeCounter(label: "c", dimensions: []) as AnyObject) },
          outcome: { _, first, second in first == second },
          expect: [.acceptable(true)]
        )
      )
    },
  ]
}

private final class LogBox: Sendable {
  let handler = InMemoryLogHandler()
  private let logger: Logger

  init() {
    let handler = handler
    logger = Logger(label: "field") { _ in handler }
  }

  func log(_ text: String) { logger.info("\(text)") }

  func log(_ text: String, tagged tag: String) {
    var copy = logger
    copy[metadataKey: "tag"] = "\(tag)"
    copy.info("\(text)")
  }
}

/// The kit's counter has a lock, but isn't declared `Sendable`; the reference is never changed.
private final class CounterBox: @unchecked Sendable {
  let counter: TestCounter
  private let metrics = TestMetrics()

  init() {
    _ = metrics.makeCounter(label: "c", dimensions: [])
    guard let counter = try? metrics.expectCounter("c") else { fatalError("the kit has no counter") }
    self.counter = counter
  }
}

/// `FloatingPointCounter` is meant for several threads; the references are never changed.
private final class FloatingBox: @unchecked Sendable {
  let counter: FloatingPointCounter
  private let metrics = TestMetrics()

  init() { counter = FloatingPointCounter(label: "f", dimensions: [], factory: metrics) }

  var total: Int64 { metrics.counterTotal(label: "f") }
}
