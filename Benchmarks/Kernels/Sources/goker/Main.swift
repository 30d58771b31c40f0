// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

@main
enum Main {
  static let help = """
    usage: goker [--short] [--markdown] [--report | --plain] [<part of a name>]

    Explores GoKer's 68 blocking bugs, each with the mistake and mended, and prints the table.

    --short     at most 500 orders with the mistake, and 100 mended; 10 s of one core: what CI runs
    --markdown  the table as it stands in the page
    --report    the reports of the programs as well: the order that blocks, and what waits for what
    --plain     runs each mended program of tasks a hundred times without the explorer, for other tools

    Exits with 1 if a bug isn't found, or a mended program fails.
    """

  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    func take(_ flag: String) -> Bool {
      defer { arguments.removeAll { $0 == flag } }
      return arguments.contains(flag)
    }
    if take("--help") { return print(help) }
    let (isShort, isMarkdown) = (take("--short"), take("--markdown"))
    let (isReporting, isPlain) = (take("--report"), take("--plain"))
    guard arguments.count <= 1, !(arguments.first ?? "").hasPrefix("-") else {
      FileHandle.standardError.write(Data((help + "\n").utf8))
      exit(64)
    }
    let kernels = Kernel.all.filter { arguments.first.map($0.name.contains) ?? true }
    if isPlain { return await runPlainly(kernels) }
    func search(_ orders: Int) -> Search {
      .exhaustive(maxOrders: isShort ? orders : 5_000, for: .seconds(isShort ? 5 : 60), seed: 68)
    }
    var table = Table(isMarkdown: isMarkdown)
    for kernel in kernels {
      let buggy = await kernel.explore(isMended: false, search(500))
      let mended = await kernel.explore(isMended: true, search(100))
      table.add(kernel, buggy, mended)
      fflush(nil)
      if isReporting { print("\n\(buggy.description)\n\n\(mended.description)\n") }
    }
    table.printSums()
    // At once: an order that blocks leaves threads behind.
    fflush(nil)
    _exit(table.isWorse ? 1 : 0)
  }

  private static func runPlainly(_ kernels: [Kernel]) async {
    for kernel in kernels {
      guard case .tasks(let body) = kernel.program else { continue }
      print(kernel.name)
      fflush(nil)
      for _ in 1...100 { try? await body(true) }
    }
  }
}
