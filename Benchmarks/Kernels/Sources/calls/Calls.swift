// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Ordinary
import RaceFreeFutureTesting

/// Measures calls that the explorer drives: where nobody explores, and explored.
@main
enum Calls {
  static let help = """
    usage: calls [--short] [--markdown]

    Medians of 21 runs (--short: 3): of ordinary code in a program without the explorer (ordinary-calls, in the same folder),
    and in this one, in turns; and of a call in an explored order of 20 to 40, with its part of the search, which grows with
    the square of their number. Exits with 1 if an order fails.
    """

  static func main() async throws {
    let arguments = Set(CommandLine.arguments.dropFirst())
    guard arguments.isSubset(of: ["--short", "--markdown"]) else { return print(help) }
    let rounds = arguments.contains("--short") ? 3 : 21
    var (alone, linked, explored): ([[Double]], [[Double]], [[Double]]) = ([], [], [])
    for _ in 0..<rounds {
      alone.append(try ordinaryCosts())
      linked.append(Ordinary.costs())
      explored.append([
        await cost { count in
          let queue = DispatchQueue(label: "explored")
          for _ in 0..<count { queue.async {} }
        },
        await cost { count in
          let lock = NSLock()
          for _ in 0..<count { lock.withLock {} }
        },
      ])
    }
    if arguments.contains("--markdown") {
      print("| ns | without the explorer | linked, not explored | explored |\n| --- | ---: | ---: | ---: |")
    } else {
      print("ns: without the explorer; linked, not explored; explored")
    }
    for (row, name) in ["`queue.async` and its block", "`NSLock`, locked and unlocked"].enumerated() {
      let cells = [alone, linked, explored].map { String(format: "%.0f", median($0.map { $0[row] })) }
      print("| \(name) | \(cells.joined(separator: " | ")) |")
    }
  }

  /// Returns the nanoseconds that each call takes after the first twenty.
  private static func cost(_ body: @escaping @Sendable (Int) -> Void) async -> Double {
    func time(_ count: Int) async -> Duration {
      let start = ContinuousClock.now
      let report = await explore("\(count) calls", .exhaustive(maxOrders: 1)) { $0.thread("a") { body(count) } }
      if report.failure != nil { exit(1) }
      return ContinuousClock.now - start
    }
    var sum = Duration.zero
    for _ in 0..<50 { sum += await time(40) - time(20) }
    return sum / .nanoseconds(50 * 20)
  }

  private static func ordinaryCosts() throws -> [Double] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "ordinary-calls")
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
