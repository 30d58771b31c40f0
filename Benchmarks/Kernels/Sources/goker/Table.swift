// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// What was found: a row for each kernel, printed as it comes, and the sums beside the published ones.
struct Table {
  let isMarkdown: Bool
  private(set) var isWorse = false
  private var sums: [Kernel.Kind: (kernels: Int, found: Int, alarms: Int)] = [:]
  /// Of the columns, as text.
  private static let widths = [18, 14, 28, 17, 15, 20, 0]

  init(isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
    printHeader(["kernel", "kind", "cause", "orders to the bug", "orders, mended", "alarm", "what blocks"])
  }

  mutating func add(_ kernel: Kernel, _ buggy: Exploration, _ mended: Exploration) {
    let (isFound, isAlarm) = (buggy.failure != nil, mended.failure != nil)
    if !isFound || isAlarm { isWorse = true }
    let sum = sums[kernel.kind] ?? (0, 0, 0)
    sums[kernel.kind] = (sum.kernels + 1, sum.found + (isFound ? 1 : 0), sum.alarms + (isAlarm ? 1 : 0))
    printRow([
      kernel.name,
      kernel.kind.rawValue,
      kernel.cause,
      isFound ? "\(buggy.orders)" : "not in \(buggy.orders)",
      mended.isComplete ? "all \(mended.orders)" : "\(mended.orders)",
      mended.failure.map(shortened) ?? (mended.verdict == .passed ? "none" : "none, inconclusive"),
      buggy.failure.map(shortened) ?? "–",
    ])
  }

  func printSums() {
    print("")
    printHeader(["kind", "kernels", "found here", "alarms, mended", "goleak", "go-deadlock", "dingo-hunter"])
    var all = (kernels: 0, found: 0, alarms: 0)
    for kind in Kernel.Kind.allCases {
      guard let sum = sums[kind] else { continue }
      all = (all.kernels + sum.kernels, all.found + sum.found, all.alarms + sum.alarms)
      let published = [kind.goleak, kind.goDeadlock, kind.dingoHunter]
      printRow([kind.rawValue, "\(sum.kernels)", "\(sum.found)", "\(sum.alarms)"] + published.map { "\($0)" })
    }
    func total(_ found: (Kernel.Kind) -> Int) -> String { "\(Kernel.Kind.allCases.map(found).reduce(0, +))" }
    printRow(
      ["all", "\(all.kernels)", "\(all.found)", "\(all.alarms)"]
        + [total(\.goleak), total(\.goDeadlock), total(\.dingoHunter)]
    )
  }

  /// Leaves out where a lock was made and since when somebody waits: the report of a single kernel says so.
  private func shortened(_ failure: String) -> String {
    failure.replacing(#/\ \(goker/[^)]*\)|,\ since\ step\ \d+|\ \(since\ step\ \d+\)/#, with: "")
  }

  private func printHeader(_ titles: [String]) {
    printRow(titles)
    if isMarkdown { print("|" + titles.map { _ in " --- |" }.joined()) }
  }

  private func printRow(_ cells: [String]) {
    if isMarkdown { return print("| " + cells.joined(separator: " | ") + " |") }
    let padded = zip(cells, Self.widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }
    print(padded.joined(separator: "  "))
  }
}
