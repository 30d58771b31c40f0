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
    abstract: "Downloads files, a few at a time, and stops cleanly at any moment.",
    discussion: """
      Without URLs it runs a demonstration: it starts a server on 127.0.0.1, and downloads from it for about three \
      seconds; one file takes too long, and one is stopped by hand.

      A file appears in the folder when it is complete. A download that is cancelled or fails leaves no file behind. A \
      file is named after the last part of its URL. An existing file is never replaced: the new one gets a number, as \
      in photo-1.jpg.

      Progress goes to standard error, as bars on a terminal and as plain lines elsewhere. The closing table goes to \
      standard output.

      Ctrl-C cancels everything, cleans up, and still prints the table. A second Ctrl-C exits at once, without \
      cleaning up.

      EXIT STATUS
        0    everything ended as requested, including downloads that --cancel-after stopped
        1    a download failed, or didn't end within its --timeout; or the table couldn't be written to standard output
        64   invalid arguments: nothing was downloaded
        130  Ctrl-C (143: the signal TERM)
      """
  )

  @Argument(help: ArgumentHelp("The http and https URLs to download.", valueName: "url"))
  var urls: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The folder for the files; created if necessary. (default: the current one; in the demonstration a temporary one, gone in the end)",
      valueName: "folder"
    )
  )
  var folder: String?

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp("The maximum number of downloads at a time.", valueName: "n")
  )
  var jobs = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of seconds that each download may take.", valueName: "s")
  )
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of seconds after which to stop unfinished downloads; not a failure.",
      valueName: "s"
    )
  )
  var cancelAfter: Double?

  @Flag(help: "Print plain lines instead of bars.")
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
