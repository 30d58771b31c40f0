// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Counts the executions of programs of GenMC's test suite (github.com/MPI-SWS/genmc, tests/correct), beside the numbers
/// that it expects.
let usage = """
  usage: executions [--short] [--markdown] [<name>]

  Counts the executions of programs of GenMC's test suite under RC11 and SC, beside the numbers that are expected there.
  An execution is counted once, in however many orders it is run: two are the same if each load reads from the same store,
  and the stores of each place have the same modification order.

  --short     at most 80 milliseconds for each row and model, as on CI; otherwise 10 seconds
  --markdown  the table as on the page
  <name>      only the rows whose name contains it

  The exit code is 1 if a row differs from what the table says.
  """

let arguments = CommandLine.arguments.dropFirst()
let options = arguments.filter { $0.hasPrefix("-") }
let names = arguments.filter { !$0.hasPrefix("-") }
guard options.allSatisfy({ ["--short", "--markdown"].contains($0) }) else {
  print(usage)
  exit(options.contains("--help") ? 0 : 64)
}

let budget: Duration = options.contains("--short") ? .milliseconds(80) : .seconds(10)
var table = Table(isMarkdown: options.contains("--markdown"))
table.printTitles()
for program in Program.all where names.isEmpty || names.contains(where: { program.name.contains($0) }) {
  var counts: [Model: Count] = [:]
  for model in Model.allCases where program.expected(model) != nil {
    counts[model] = await program.count(model, for: budget)
  }
  table.add(Row(program: program, counts: counts))
  fflush(nil)
}
table.printSums()
let news = table.rows.flatMap(\.news)
for line in news { FileHandle.standardError.write(Data("not what the table says: \(line)\n".utf8)) }
exit(news.isEmpty ? 0 : 1)
