// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation

/// The command `composite`.
///
/// It isn't an `AsyncParsableCommand`: reading a value that isn't available yet blocks the thread, and the main thread
/// may be blocked.
@main
struct Composite: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws a picture from its parts in three ways, and prints how long each took.",
    discussion: "EXIT STATUS: 1 if the pictures differ, or the file can't be written"
  )

  @Option(help: "The height in pixels, from 1 to 2048.")
  var height = 135

  @Option(help: "The file of the picture, in the format PPM.")
  var output = FileManager.default.temporaryDirectory.appendingPathComponent("composite.ppm").path

  func validate() throws {
    guard (1...2048).contains(height) else { throw ValidationError("--height is a number from 1 to 2048") }
  }

  func run() throws {
    let pictures = try [
      timed("one after the other") { drawOneAfterTheOther(height) },
      timed("background futures") { try drawWithFutures(height) },
      timed("implicit futures") { drawImplicitly(height) },
    ]
    try pictures[0].file.write(to: URL(fileURLWithPath: output))
    print("written to \(output)")
    guard pictures.allSatisfy({ $0.dots == pictures[0].dots }) else {
      print("the three pictures differ")
      throw ExitCode.failure
    }
    print("the three pictures are identical")
  }

  private func timed(_ title: String, _ draw: () throws -> Picture) rethrows -> Picture {
    let start = ContinuousClock.now
    let picture = try draw()
    print(title, String(format: "%.2f s", (.now - start) / .seconds(1)), separator: ": ")
    return picture
  }
}
