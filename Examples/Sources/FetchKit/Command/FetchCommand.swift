// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import ArgumentParser
import Dispatch
import Foundation

/// The command `fetch`: its arguments, and its validation.
public struct FetchCommand: AsyncParsableCommand {
  /// Its name and help.
  public static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Downloads files, some at a time, and stops cleanly whenever it is asked to.",
    usage: "fetch [<url> ...] [--output <folder>] [--jobs <n>] [--timeout <s>] [--cancel-after <s>] [--plain]",
    discussion: """
      Without URLs it shows what it can do: it starts a server inside itself, on 127.0.0.1, and downloads from there \
      for a few seconds; one file runs out of time, one is stopped by hand.

      A file appears in the folder when it is complete, and not before: whatever is cancelled or fails leaves nothing \
      behind. It is named after the last part of its URL. A file that is there already is never replaced: the new one \
      gets a number, photo-1.jpg.

      Progress goes to standard error, as bars on a terminal and as plain lines elsewhere; the closing table goes to \
      standard output.

      Ctrl-C cancels everything, tidies up and still prints the table. A second Ctrl-C leaves at once, tidy or not.

      EXIT STATUS
        0    everything ended as asked; what --cancel-after stopped counts as such
        1    a download failed, or didn't end within its --timeout
        64   the arguments are no good: nothing was downloaded
        130  Ctrl-C (143: the signal TERM)
      """
  )

  @Argument(help: ArgumentHelp("What to download: http and https URLs.", valueName: "url"))
  var urls: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where the files go; made if it isn't there. (default: here; in the demonstration a new temporary folder)",
      valueName: "folder"
    )
  )
  var folder: String?

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp("How many downloads run at the same time at most.", valueName: "n")
  )
  var jobs = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many seconds each download may take, counted from its start.", valueName: "s")
  )
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop what is unfinished so many seconds after the start, and count that as success.",
      valueName: "s"
    )
  )
  var cancelAfter: Double?

  @Flag(help: "Plain lines instead of bars, also on a terminal.")
  var plain = false

  /// Makes a command; for the arguments parser.
  public init() {}

  /// Checks the arguments.
  public func validate() throws {
    guard jobs >= 1 else {
      throw ValidationError("--jobs is the number of downloads at a time: at least 1, not \(jobs)")
    }
    for (name, seconds) in [("--timeout", timeout), ("--cancel-after", cancelAfter)] {
      guard let seconds else { continue }
      // Up to a year, so that every sum of times is a time.
      guard seconds >= 0.001, seconds <= 31_536_000 else {
        throw ValidationError("\(name) is a number of seconds: at least 0.001 and at most a year, not \(seconds)")
      }
    }
    _ = try parsedURLs()
  }

  func parsedURLs() throws -> [URL] {
    try urls.map { text in
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
        url.host?.isEmpty == false
      else { throw ValidationError("'\(text)' is not an http or https URL") }
      return url
    }
  }
}
