// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Counts the orders up to the bug of each kernel of SCTBench, by several searches, beside the published figures.
@main
enum Sctbench {
  static let help = """
    usage: sctbench [--short] [--markdown] [<part of a name>]

    The orders that each search runs up to the first that shows the bug, with 20 seeds and at most 10,000 orders, beside
    those that SURW's artifact published. A cell ends after 10 seconds, of the default search after a minute: then it
    says in how many of how many runs the bug was found.

    --short     two seeds, the default search alone, and a second for each kernel: what CI runs
    --markdown  the table as it stands in the page

    Exits with 1 if the default search misses a bug in 10,000 orders, which is worse than the table says.
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--cell" { await runCell(Array(arguments.dropFirst())) }
    if arguments.contains("--help") { return print(help) }
    func takes(_ option: String) -> Bool {
      defer { arguments.removeAll { $0 == option } }
      return arguments.contains(option)
    }
    let (isShort, isMarkdown) = (takes("--short"), takes("--markdown"))
    let kernels = Kernel.all.filter { kernel in arguments.allSatisfy { kernel.name.contains($0) } }
    guard !kernels.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }) else {
      FileHandle.standardError.write(Data("\(help)\n".utf8))
      exit(64)
    }
    var extent = Extent()
    if isShort { extent.seeds = 2 }
    var table = Table(columns: isShort ? [.usual] : Column.allCases, orders: extent.orders, isMarkdown: isMarkdown)
    for kernel in kernels {
      table.add(kernel) { column in
        extent.time = .seconds(isShort ? 1 : column == .usual ? 60 : 10)
        return Cell.measuredElsewhere(kernel, column, extent)
      }
    }
    table.end()
    exit(table.isWorse ? 1 : 0)
  }

  /// Measures one cell and prints it.
  private static func runCell(_ arguments: [String]) async -> Never {
    guard arguments.count > 2, let kernel = Kernel.all.first(where: { $0.name == arguments[0] }),
      let column = Column(rawValue: arguments[1]), let extent = Extent(Array(arguments.dropFirst(2)))
    else { exit(64) }
    print("\n\(Cell.mark)\(await Cell.measured(kernel, column, extent).line)")
    fflush(nil)
    // At once: blocked threads may be left.
    _exit(0)
  }
}
