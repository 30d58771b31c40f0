// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
@_spi(Drawing) import RaceFreeFutureExploring

/// The orders up to the first that shows the bug of a kernel, for each seed; nil: none of those that were run.
struct Cell {
  let found: [Int?]
  /// The number of seeds that were wanted; fewer were run if the time was up.
  let seeds: Int
  /// The number of orders that were run where none did.
  var most = 0
  /// True if those were all that there are.
  var isComplete = false

  var hits: [Int] { found.compactMap(\.self) }
  var mean: Double? { hits.isEmpty ? nil : Double(hits.reduce(0, +)) / Double(hits.count) }
  /// True if the bug was found with each seed.
  var isAlwaysFound: Bool { hits.count == seeds }

  /// True if it wasn't found with some seed, although the time was enough for so many orders.
  func isMissed(within orders: Int) -> Bool { isComplete || most >= orders }

  /// As in the published table: mean ± deviation, and in how many runs, unless in all.
  var text: String {
    guard let mean else { return isComplete ? "not there" : "0/\(found.count), \(most) orders" }
    let squares = hits.map { (Double($0) - mean) * (Double($0) - mean) }.reduce(0, +)
    let deviation = (squares / Double(hits.count)).squareRoot()
    let text = seeds == 1 ? "\(hits[0])" : "\(Int(mean.rounded())) ± \(Int(deviation.rounded()))"
    return isAlwaysFound ? text : "\(text) in \(hits.count)/\(found.count)"
  }
}

extension Cell {
  /// Runs a kernel with each seed: in this process.
  static func measured(_ kernel: Kernel, _ column: Column, _ extent: Extent) async -> Cell {
    var (found, most, isComplete): ([Int?], Int, Bool) = ([], 0, false)
    let start = ContinuousClock.now
    let seeds = column.isDeterministic ? 1 : extent.seeds
    for seed in 1...seeds {
      if seed > 1, let time = extent.time, .now - start > time { break }
      var search = column.search(orders: extent.orders, seed: seed)
      search.duration = extent.time.map { max(.zero, $0 - (.now - start)) }
      let report = await explore(kernel.name, search, scenario: kernel.scenario)
      // Those that were begun, and then showed the same as others, took as long.
      let orders = report.orders + report.redundant
      found.append(report.failure == nil ? nil : orders)
      if report.failure == nil { (most, isComplete) = (max(most, orders), report.isComplete) }
    }
    return Cell(found: found, seeds: seeds, most: most, isComplete: isComplete)
  }

  /// One line for the process that wants to know.
  var line: String {
    "\(found.map { $0.map(String.init) ?? "-" }.joined(separator: ",")) \(seeds) \(most) \(isComplete)"
  }

  init?(line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count == 4, let seeds = Int(parts[1]), let most = Int(parts[2]) else { return nil }
    let found = parts[0].split(separator: ",").map { Int($0) }
    self.init(found: found, seeds: seeds, most: most, isComplete: parts[3] == "true")
  }

  /// Runs a kernel with each seed: in a process of its own, because a deadlock leaves threads behind.
  static func measuredElsewhere(_ kernel: Kernel, _ column: Column, _ extent: Extent) -> Cell? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--cell", kernel.name, column.rawValue] + extent.arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").last { $0.hasPrefix(mark) }.flatMap { Cell(line: $0.dropFirst(mark.count)) }
  }

  static let mark = "cell: "
}

/// The seeds and orders of a table.
struct Extent {
  var seeds = 20
  var orders = 10_000
  /// The time of a cell, after which no further order begins; nil: there is no limit.
  var time: Duration?

  var arguments: [String] {
    ["\(seeds)", "\(orders)"] + (time.map { ["\(Int($0 / .milliseconds(1)))"] } ?? [])
  }

  init() {}

  init?(_ arguments: [String]) {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count >= 2 else { return nil }
    (seeds, orders) = (numbers[0], numbers[1])
    if numbers.count > 2 { time = .milliseconds(numbers[2]) }
  }
}
