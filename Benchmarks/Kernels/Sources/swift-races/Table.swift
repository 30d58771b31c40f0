// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The table, of which each cell is measured in a process of its own: what is measured may end it.
struct Table {
  static let marker = "result:\t"

  var kernels = Kernel.all
  var isShort = false
  var isMarkdown = false
  var isSanitized = false
  var givesReasons = false

  private var measurements: [Measurement] {
    if isSanitized { return [.sanitizer, .sanitizedMended] }
    return isShort ? [.orders, .mended] : [.orders, .race, .plain, .random, .mended]
  }

  private var isWide: Bool { isMarkdown || !isShort && !isSanitized }

  /// Prints a row for each kernel; returns false if one is worse than it was.
  func printAll() -> Bool {
    var isAsGood = true
    var found: [Measurement: Int] = [:]
    printHeader()
    for kernel in kernels {
      var cells = [isMarkdown ? "`\(kernel.name)`" : kernel.name]
      if isWide { cells += [kernel.source, kernel.cause] }
      var reasons: [String] = []
      for measurement in measurements {
        let cell = measured(measurement, kernel)
        cells.append(cell.text)
        if cell.isFound { found[measurement, default: 0] += 1 }
        if !cell.reason.isEmpty { reasons.append("  \(measurement): \(cell.reason)") }
        switch measurement {
        case .orders where !cell.isFound && !Recorded.notFound.contains(kernel.name): isAsGood = false
        case .mended where cell.isFound: isAsGood = false
        case .sanitizer where cell.isFound != Recorded.sanitizer.contains(kernel.name): isAsGood = false
        default: break
        }
      }
      if !isShort, !isSanitized { cells.insert(Recorded.sanitizer.contains(kernel.name) ? "yes" : "no", at: 7) }
      printRow(cells)
      if givesReasons { for reason in reasons { print(reason) } }
    }
    let counts = measurements.map { "\(words[$0] ?? ""): \(found[$0, default: 0])" }
    print("\n\(kernels.count) kernels; \(counts.joined(separator: ", "))")
    return isAsGood
  }

  private let words: [Measurement: String] = [
    .orders: "found by the explorer", .race: "by race", .plain: "by plain runs", .random: "by a random executor",
    .mended: "alarms on the mended", .sanitizer: "seen by ThreadSanitizer",
    .sanitizedMended: "its alarms on the mended",
  ]

  private func printHeader() {
    var titles = ["kernel"]
    if isWide { titles += ["source", "cause"] }
    for measurement in measurements {
      switch measurement {
      case .orders: titles.append("orders to the bug")
      case .race: titles.append("round of race")
      case .plain: titles.append("plain runs that fail")
      case .random: titles.append("on a random executor")
      case .mended: titles.append("mended: orders, no alarm")
      case .sanitizer: titles.append("ThreadSanitizer")
      case .sanitizedMended: titles.append("on the mended")
      }
    }
    if !isShort, !isSanitized { titles.insert("ThreadSanitizer", at: 7) }
    printRow(titles)
    if isMarkdown {
      printRow(titles.map { ["kernel", "source", "cause", "ThreadSanitizer"].contains($0) ? "---" : "---:" })
    }
  }

  private func printRow(_ cells: [String]) {
    if isMarkdown {
      print("| \(cells.joined(separator: " | ")) |")
    } else {
      let widths = !isWide ? [26, 20, 24] : [26, 54, 54, 18, 18, 20, 20, 16, 24]
      print(zip(cells, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " "))
    }
    fflush(nil)
  }

  private func measured(_ measurement: Measurement, _ kernel: Kernel) -> Measurement.Cell {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let options = "SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=halt_on_error=1:exitcode=66"
    let command =
      "\(options) timeout -s KILL 60 '\(program)' --measure \(measurement) \(kernel.name) "
      + "\(isShort ? "short" : "long") < /dev/null 2> /dev/null"
    guard let output = popen(command, "r") else { return .init(isFound: false, text: "couldn't be run") }
    var result: [Substring]?
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, output) > 0, let line {
      let text = String(cString: line).trimmingCharacters(in: .newlines)
      if text.hasPrefix(Self.marker) { result = text.split(separator: "\t", omittingEmptySubsequences: false) }
    }
    free(line)
    let status = (pclose(output) >> 8) & 0xFF
    if let result, result.count == 4 {
      return .init(isFound: result[1] == "true", text: String(result[2]), reason: String(result[3]))
    }
    if status == 66 { return .init(isFound: true, text: "yes") }
    if status == 137 { return .init(isFound: false, text: "over 60 s") }
    // Of itself, and not by the sanitizer.
    return .init(isFound: !isSanitized, text: "the process dies", reason: "exit code \(status)")
  }
}
