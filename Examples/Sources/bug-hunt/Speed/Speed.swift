// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// The number of orders that are run in a second of a core's time: other work of the machine doesn't count.
struct Speed: Sendable {
  /// The number of measurements, of which the median counts, and the least seconds that each takes.
  private static let (measurements, least) = (5, 0.4)

  let subject: Subject

  static func printTable() async throws {
    print("| program | orders | the longest | orders a second |")
    print("| --- | ---: | ---: | ---: |")
    for subject in Subject.all { print(try await Speed(subject: subject).row()) }
  }

  private func row() async throws -> String {
    let whole = await explored()
    try whole.verify()
    var speeds: [Double] = []
    for _ in 0..<Self.measurements { speeds.append(await speed(of: whole)) }
    let median = speeds.sorted()[Self.measurements / 2]
    let orders = whole.orders.formatted() + (whole.isComplete ? "" : " of more")
    let cells = [subject.title, orders, "\(whole.steps) steps", Int(median).formatted()]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// Explores it repeatedly.
  private func speed(of whole: Exploration) async -> Double {
    let start = clock()
    var (orders, time) = (0, 0.0)
    while time < Self.least {
      orders += await explored().orders
      time = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }
    return Double(orders) / time
  }

  private func explored() async -> Exploration { await exploreTasks(subject.title, seed: 1, body: subject.body) }
}
