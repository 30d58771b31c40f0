// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Prints the table of Swift's own races.
@main
enum SwiftRaces {
  static let help = """
    usage: swift-races [--short] [--markdown] [<part of a name>]

    Published races of Swift packages and apps, small: how many orders the explorer runs until one fails, in which round
    `race` meets it, how many of 10,000 plain runs fail, how many of 10,000 on an executor that takes the ready jobs in
    random order, whether ThreadSanitizer sees it, and how many orders of the mended program were run without an alarm.

      --short     only the explorer's columns, with fewer orders
      --markdown  the table as it stands in the page
      --reasons   what was found, a line for each
      --reports   the explorer's reports, of the program as it was and of the mended one
      --tsan      only ThreadSanitizer's column; in a build with it:
                  swift run -c release --sanitize=thread --scratch-path .build/tsan -Xswiftc -DPLAIN swift-races --tsan

    The column of ThreadSanitizer is a record of such a run. Exit code 1: the explorer found less than is recorded, or a
    mended program was alarming.
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 4, arguments[0] == "--measure" { return await measure(arguments) }
    if arguments.contains("--help") { return print(help) }
    func takes(_ flag: String) -> Bool {
      defer { arguments.removeAll { $0 == flag } }
      return arguments.contains(flag)
    }
    var table = Table()
    (table.isShort, table.isMarkdown) = (takes("--short"), takes("--markdown"))
    (table.givesReasons, table.isSanitized) = (takes("--reasons"), takes("--tsan"))
    let givesReports = takes("--reports")
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
      FileHandle.standardError.write(Data((help + "\n").utf8))
      exit(64)
    }
    if let part = arguments.first { table.kernels.removeAll { !$0.name.contains(part) } }
    if !givesReports { exit(table.printAll() ? 0 : 1) }
    for kernel in table.kernels {
      for isMended in [false, true] { print(await kernel.explored(isMended: isMended, Measurement.search(true)), "\n") }
    }
    _exit(0)
  }

  /// Measures one cell, and prints it for the process that asked.
  private static func measure(_ arguments: [String]) async {
    guard let measurement = Measurement(rawValue: arguments[1]),
      let kernel = Kernel.all.first(where: { $0.name == arguments[2] })
    else { exit(64) }
    await measurement.measure(kernel, isShort: arguments[3] == "short").printForTable()
    // At once: threads and tasks may have been left behind.
    _exit(0)
  }
}
