// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

@main
enum Main {
  static let help = """
    usage: goker [--short] [--markdown] [--report] [<part of a name>]

    Explores GoKer's 68 blocking bugs, each with the mistake and mended, and prints the table.

    --short     at most 150 orders of each program, seconds in all: what CI runs
    --markdown  the table as it stands in the page
    --report    the reports of the programs as well: the order that blocks, and what waits for what

    Exits with 1 if a bug isn't found, or a mended program fails.
    """

  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    func take(_ flag: String) -> Bool {
      defer { arguments.removeAll { $0 == flag } }
      return arguments.contains(flag)
    }
    if take("--help") { return print(help) }
    let (isShort, isMarkdown, isReporting) = (take("--short"), take("--markdown"), take("--report"))
    guard arguments.count <= 1, !(arguments.first ?? "").hasPrefix("-") else {
      FileHandle.standardError.write(Data((help + "\n").utf8))
      exit(64)
    }
    let search = Search.exhaustive(maxOrders: isShort ? 150 : 5_000, for: .seconds(isShort ? 5 : 60), seed: 68)
    var table = Table(isMarkdown: isMarkdown)
    for kernel in Kernel.all where arguments.first.map(kernel.name.contains) ?? true {
      let buggy = await kernel.explore(isMended: false, search)
      let mended = await kernel.explore(isMended: true, search)
      table.add(kernel, buggy, mended)
      fflush(nil)
      if isReporting { print("\n\(buggy.description)\n\n\(mended.description)\n") }
    }
    table.printSums()
    // At once: an order that blocks leaves threads behind.
    fflush(nil)
    _exit(table.isWorse ? 1 : 0)
  }
}
