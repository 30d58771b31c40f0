// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation

/// The command `wrap-callback-api`.
@main
struct WrapCallbackAPI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wrap-callback-api",
    abstract: "Wraps a callback API for async twice, naively and with a future, and counts what goes wrong.",
    discussion: """
      The API answers once, twice or never, on its own queue; what it hands out must be given back. Each call is \
      cancelled at a moment of its own, but for one in eight.

      EXIT STATUS
        0   nothing went wrong with the future
        1   something did
        64  the arguments are no good
      """
  )

  @Option(parsing: .unconditional, help: ArgumentHelp("How many calls each way.", valueName: "n"))
  var rounds = 10_000

  @Option(parsing: .unconditional, help: ArgumentHelp("Where the random numbers begin.", valueName: "n"))
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...1_000_000).contains(rounds) else {
      throw ValidationError("--rounds is the number of calls: at least 1 and at most 1000000, not \(rounds)")
    }
  }

  func run() async throws {
    let experiment = Experiment(rounds: rounds, seed: seed)
    print("\(rounds) calls each way, seed \(seed)\n")
    print(line("", ["returned", "cancelled", "abandoned", "lost", "doubled", "leaked"]))
    let naive = await experiment.run { Naive() }
    print(line("naive", naive.counts))
    let withFuture = await experiment.run { WithFuture() }
    print(line("withFuture", withFuture.counts))
    print(
      """

      abandoned  the service dropped the callback, and the caller was told so
      lost       never returned: nobody resumed the continuation
      doubled    resumed again, which stops a program (here it is only counted); or given back again
      leaked     leases that nobody has and nobody gave back
      """
    )
    if !naive.hasFailures { print("\nThis time the naive way was lucky. Try more rounds, or another seed.") }
    if withFuture.hasFailures { throw ExitCode.failure }
  }

  private func line(_ title: String, _ cells: [some CustomStringConvertible]) -> String {
    let cells = cells.map { cell in String(repeating: " ", count: max(0, 11 - "\(cell)".count)) + "\(cell)" }
    return title.padding(toLength: 10, withPad: " ", startingAt: 0) + cells.joined()
  }

  /// Runs the command; bad arguments get one line.
  static func main() async {
    do {
      guard let command = try parseAsRoot() as? Self else { throw CleanExit.helpRequest(self) }
      try await command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      FileHandle.standardError.write(
        Data("wrap-callback-api: \(message(for: error)) (wrap-callback-api --help tells more)\n".utf8)
      )
      exit(withError: ExitCode.validationFailure)
    }
  }
}
