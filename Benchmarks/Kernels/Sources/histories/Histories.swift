// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// Checks published histories, and compares the verdicts.
@main
enum Histories {
  static let help = """
    usage: histories [--short] [--markdown] [--folder <Porcupine's test_data>] [<part of a name>]

    The verdict on each history that lincheck's guide and Porcupine's tests publish, and the time that it takes; with a
    folder, on all of Porcupine's files. --short: without the largest. Exits with 1 if a verdict isn't the published one.
    """

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") { return print(help) }
    func takes(_ option: String) -> Bool {
      defer { arguments.removeAll { $0 == option } }
      return arguments.contains(option)
    }
    let (isShort, isMarkdown) = (takes("--short"), takes("--markdown"))
    var examples = Example.all.filter { !isShort || $0.calls < 50_000 }
    if let option = arguments.firstIndex(of: "--folder"), option + 1 < arguments.count {
      examples = try logs(in: arguments[option + 1])
      arguments.removeSubrange(option...(option + 1))
    }
    examples.removeAll { example in !arguments.allSatisfy { example.name.contains($0) } }
    guard !examples.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }) else {
      FileHandle.standardError.write(Data("\(help)\n".utf8))
      exit(64)
    }
    var equal = 0
    show(["history", "calls", "published", "verdict", "ms", "source"], isMarkdown)
    if isMarkdown { print("| --- | ---: | --- | --- | ---: | --- |") }
    for example in examples {
      let start = ContinuousClock.now
      let verdict = example.check()
      let time = Double((ContinuousClock.now - start) / .microseconds(1)) / 1_000
      let isEqual = verdict != .undecided && verdict.isLinearizable == example.isLinearizable
      if isEqual { equal += 1 }
      let words = verdict == .undecided ? "undecided" : verdict.isLinearizable ? "linearizable" : "not"
      let cells = [
        example.name, "\(example.calls)", example.isLinearizable ? "linearizable" : "not",
        isEqual ? words : "**\(words)**",
        String(format: "%.2f", time), example.source,
      ]
      show(cells, isMarkdown)
    }
    print("\n\(equal) of \(examples.count) verdicts are those that were published, or are known.")
    exit(equal == examples.count ? 0 : 1)
  }

  private static func show(_ cells: [String], _ isMarkdown: Bool) {
    if isMarkdown { return print("| \(cells.joined(separator: " | ")) |") }
    let widths = [54, 8, 14, 18, 10, 0]
    print(zip(cells, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }.joined())
  }
}
