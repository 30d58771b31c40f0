// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation

/// The command `wrap-callback-api`.
@main
struct WrapCallbackAPI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wrap-callback-api",
    abstract: "Wraps a callback API for async twice, naively and with a future, and counts what goes wrong.",
    discussion: """
      The API answers once, twice or never, on its own queue; what it hands out must be given back. Seven in eight \
      calls are cancelled, each at a random moment.

      EXIT STATUS
        0    nothing went wrong with the future
        1    something did
        64   invalid arguments
        130  Ctrl-C
      """
  )

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of calls each way.", valueName: "n"))
  var rounds = 10_000

  @Option(parsing: .unconditional, help: ArgumentHelp("The seed of the random numbers.", valueName: "n"))
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...1_000_000).contains(rounds) else {
      throw ValidationError("--rounds is the number of calls: at least 1 and at most 1000000, not \(rounds)")
    }
  }

  func run() async throws {
    let experiment = Experiment(rounds: rounds, seed: seed)
    print("\(rounds) calls each way, seed \(seed)\n")
    let naive = await experiment.run { Naive() }
    let withFuture = await experiment.run { WithFuture() }
    print(line("", "naive", "withFuture"))
    for (kind, counts) in zip(Tally.kinds, zip(naive.counts, withFuture.counts)) {
      print(line(kind.name, "\(counts.0)", "\(counts.1)"))
    }
    print()
    let indentation = String(repeating: " ", count: 11)
    for kind in Tally.kinds {
      if let meaning = kind.meaning {
        print((kind.name.padded(to: 11) + meaning).wrapped(to: Console.width, indentation: indentation))
      }
    }
    if !naive.hasFailures {
      let hint = "This time the naive way was lucky. Try more rounds, or another seed."
      print("\n\(hint.wrapped(to: Console.width))")
    }
    if withFuture.hasFailures { throw ExitCode.failure }
  }

  private func line(_ title: String, _ naive: String, _ withFuture: String) -> String {
    let numbers = [naive, withFuture].map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
    return title.padded(to: 10) + numbers.joined()
  }

  static func main() async { await runAsMain() }
}
