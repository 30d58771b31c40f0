// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// A column of the table: what one tool sees of a kernel.
enum Measurement: String, CaseIterable {
  case orders, mended, race, plain, random, sanitizer, sanitizedMended

  /// The words of a cell, and whether the bug was seen (or, of the mended one, an alarm).
  struct Cell: Equatable {
    var isFound: Bool
    var text: String
    /// The reason, in one line.
    var reason = ""
  }

  static func search(_ isShort: Bool) -> Search { .exhaustive(maxOrders: isShort ? 2_000 : nil, seed: 1) }

  /// Measures in this process, which may not survive it.
  func measure(_ kernel: Kernel, isShort: Bool) async -> Cell {
    switch self {
    case .orders:
      let report = await kernel.explored(isMended: false, Self.search(isShort))
      let isFound = report.verdict == .failed
      return Cell(isFound: isFound, text: isFound ? grouped(report.orders) : "not found", reason: report.failure ?? "")
    case .mended:
      let search = Search.exhaustive(maxOrders: isShort ? 500 : 5_000, for: .seconds(isShort ? 1 : 10), seed: 1)
      let report = await kernel.explored(isMended: true, search)
      let extent = report.isComplete ? "all \(grouped(report.orders))" : grouped(report.orders)
      let isAlarm = report.verdict == .failed
      let isUnclear = report.verdict == .inconclusive
      return Cell(
        isFound: isAlarm,
        text: isAlarm ? "alarm" : isUnclear ? "\(extent), unclear" : extent,
        reason: report.failure ?? (isUnclear ? report.description : "")
      )
    case .race: return await raced(kernel)
    case .plain: return counted(await loop(kernel).run(10_000, for: 5))
    case .random:
      if kernel.hasThreads { return Cell(isFound: false, text: "–") }
      return counted(await loop(kernel, on: RandomExecutor(seed: 1)).run(10_000, for: 5))
    case .sanitizer, .sanitizedMended:
      // The sanitizer ends the process if it sees a race.
      _ = await loop(kernel).run(500, for: 2, isMended: self == .sanitizedMended)
      return Cell(isFound: false, text: "no")
    }
  }

  private func raced(_ kernel: Kernel) async -> Cell {
    // A race of a single task would be none.
    if !kernel.hasThreads, kernel.scene(isMended: false).tasks.count < 2 { return Cell(isFound: false, text: "–") }
    let report = await kernel.raced(rounds: 100_000, for: .seconds(4))
    var rounds = report.outcomes.filter { $0.verdict.isFailure }.map(\.firstRound)
    switch report.interruption {
    case .actorsStuck(_, let round), .outcomeStuck(let round), .makeStuck(let round): rounds.append(round)
    case .cancelled, nil: break
    }
    guard let first = rounds.min() else { return Cell(isFound: false, text: "none in \(grouped(report.rounds))") }
    return Cell(isFound: true, text: grouped(first))
  }

  private func loop(_ kernel: Kernel, on executor: RandomExecutor? = nil) -> Loop {
    Loop(kernel, on: executor) { count in
      counted(count).printForTable()
      _exit(0)
    }
  }

  private func counted(_ count: Loop.Count) -> Cell {
    let extent = count.runs == 10_000 ? "" : " of \(grouped(count.runs))"
    return Cell(isFound: count.failures > 0, text: "\(grouped(count.failures))\(extent)", reason: count.reason)
  }
}

extension Measurement.Cell {
  /// Prints it for the process that asked.
  func printForTable() {
    let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: " ")
    print("\(Table.marker)\(isFound)\t\(text)\t\(line)")
    fflush(nil)
  }
}

/// A number with commas.
func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }
