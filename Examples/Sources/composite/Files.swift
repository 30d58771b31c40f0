// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import Foundation
import RaceFreeFuture

/// A file's content.
struct File: Sendable {
  /// Nil if the file couldn't be read.
  let data: Data?

  init(reading url: URL) {
    printWrapped("  reading \(url.lastPathComponent)")
    data = try? Data(contentsOf: url)
  }

  var length: String { data.map { "\($0.count) bytes" } ?? "unreadable" }

  var firstLine: String {
    String(decoding: data?.prefix { $0 != UInt8(ascii: "\n") } ?? Data(), as: UTF8.self)
  }
}

/// Returns the files of a folder, by name; each is read when it is first used.
func files(in folder: URL) throws -> [String: Implicit<File>] {
  let urls = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    .map { folder.appendingPathComponent($0) }
    .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true }
  return Dictionary(
    uniqueKeysWithValues: urls.map { url in
      (url.lastPathComponent, Implicit(.lazy(label: url.path) { _ in File(reading: url) }))
    }
  )
}

/// Prints parts of a few files, and then the files that were read by that.
func use(_ names: [String], of files: [String: Implicit<File>]) {
  for name in names {
    guard let file = files[name] else { continue }
    // It looks like a file. It is read here, before the line is printed, and not a second time.
    printWrapped("\(name) has \(file.length) and begins with: \(file.firstLine)")
  }
  for (name, file) in files.sorted(by: { $0.key < $1.key }) {
    // The future can be queried without being started.
    printWrapped("\(name): \(file.future.isCompleted ? "was read" : "was not read")")
  }
}

/// Prints a text at once, in several lines if the screen is narrow.
func printWrapped(_ text: String) { Console.write(text.wrapped(to: Console.width, indentation: "  ") + "\n") }

/// Makes a folder with a few files, for the time of the body.
func withSomeFiles(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("composite-\(UUID().uuidString.prefix(8))")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  let texts = [
    "sky": "Six octaves of noise, wider than high.", "sun": "A disc, and noise in the air around it.",
    "mountains": "Two ridges of noise.", "sea": "Noise again, seen from the shore.",
  ]
  for (name, text) in texts { try Data("\(text)\n".utf8).write(to: folder.appendingPathComponent("\(name).txt")) }
  try body(folder)
}
