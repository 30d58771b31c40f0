// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation

/// The command `composite`.
///
/// It isn't an `AsyncParsableCommand`: reading a value that isn't available yet blocks the thread, and the main thread
/// may be blocked.
@main
struct Composite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "composite",
    abstract: "Draws a picture from its parts in three ways, and prints how long each took.",
    discussion: """
      With --lazy it draws nothing: it makes a dictionary of the files in a folder, uses some of them, and lists \
      those that were read.

      EXIT STATUS
        0    the three pictures are the same
        1    they are not
        64   invalid arguments
        130  Ctrl-C
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The size in pixels: each side from 1 to 2048. (default: 480x270)", valueName: "WxH")
  )
  var size: Size?

  @Option(
    help: ArgumentHelp("The file of the picture. (default: composite.bmp in the temporary folder)", valueName: "file")
  )
  var output: String?

  @Flag(help: "Show a dictionary of files that are read when they are used.")
  var lazy = false

  @Option(help: "With --lazy: the folder with the files. (default: a new one with four files)")
  var folder: String?

  @Option(
    help: ArgumentHelp("With --lazy: a file to use; may be repeated. (default: the first one)", valueName: "name")
  )
  var use: [String] = []

  func validate() throws {
    if let size, !(1...2048).contains(size.width) || !(1...2048).contains(size.height) {
      throw ValidationError("--size is width and height: each from 1 to 2048, not \(size.width)x\(size.height)")
    }
    if lazy, size != nil || output != nil { throw ValidationError("--lazy draws nothing: no --size, no --output") }
    if !lazy, folder != nil || !use.isEmpty { throw ValidationError("--folder and --use are for --lazy") }
  }

  func run() throws {
    if lazy { try showFiles() } else { try draw() }
  }

  private func draw() throws {
    let size = size ?? Size(width: 480, height: 270)
    let url =
      output.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("composite.bmp")
    // Before the work, so that a mistake is reported at once.
    guard canWrite(to: url) else { throw ValidationError("\(url.path): cannot write") }
    printWrapped("sky, sun, mountains and sea, \(size.width)x\(size.height):")
    let files = try [
      timed("one after the other") { drawOneAfterTheOther(size) },
      timed("background futures") { try drawWithFutures(size) },
      timed("implicit futures") { drawImplicitly(size) },
    ].map(\.bitmapFile)
    try files[0].write(to: url)
    printWrapped("written to \(url.path)")
    guard files.allSatisfy({ $0 == files[0] }) else {
      printWrapped("the three pictures differ")
      throw ExitCode.failure
    }
    printWrapped("the three pictures are identical")
  }

  private func timed(_ title: String, _ draw: () throws -> Picture) rethrows -> Picture {
    let clock = ContinuousClock()
    let start = clock.now
    let picture = try draw()
    let seconds = String(format: "%.2f s", (clock.now - start) / .seconds(1))
    Console.write("  \(title.padding(toLength: 20, withPad: " ", startingAt: 0))  \(seconds)\n")
    return picture
  }

  private func showFiles() throws {
    guard let folder else { return try withSomeFiles { try showFiles(of: $0) } }
    try showFiles(of: URL(fileURLWithPath: folder))
  }

  private func showFiles(of folder: URL) throws {
    guard let files = try? files(in: folder) else {
      throw ValidationError("\(folder.path): cannot be read as a folder")
    }
    let names = use.isEmpty ? Array(files.keys.sorted().prefix(1)) : use
    for name in names where files[name] == nil { throw ValidationError("there is no file '\(name)' in \(folder.path)") }
    printWrapped("\(folder.path) has \(files.count) files")
    composite.use(names, of: files)
  }

  static func main() { runAsBlockingMain() }
}

/// Returns true if a file can be written; an existing one keeps its contents, and a missing one isn't created.
func canWrite(to url: URL) -> Bool {
  if FileManager.default.fileExists(atPath: url.path) { return FileHandle(forWritingAtPath: url.path) != nil }
  let folder = url.deletingLastPathComponent().path
  var isFolder: ObjCBool = false
  let isThere = unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
  return isThere && isFolder.boolValue && FileManager.default.isWritableFile(atPath: folder)
}

extension Size: ExpressibleByArgument {
  /// Parses two numbers with an x between them.
  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
    self.init(width: width, height: height)
  }
}
