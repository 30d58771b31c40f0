// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Finds a name in a folder for each URL: safe, and not in use.
struct FileNames {
  private let folder: URL
  private var taken: Set<String> = []

  init(in folder: URL) {
    self.folder = folder
  }

  /// Returns a new name for a URL: `photo.jpg`, and if that exists already `photo-1.jpg`.
  mutating func next(for url: URL) -> String {
    let name = Self.safe(url.lastPathComponent)
    let base = (name as NSString).deletingPathExtension
    let suffix = String(name.dropFirst(base.count))
    var candidate = name
    var number = 0
    // Lowercased, because some file systems treat `A` and `a` as the same.
    while !taken.insert(candidate.lowercased()).inserted || isThere(candidate) {
      number += 1
      candidate = "\(base)-\(number)\(suffix)"
    }
    return candidate
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  /// Returns a name that stays inside its folder and can be shown in a terminal: no separators, no control characters,
  /// no leading dot, not too long.
  static func safe(_ component: String) -> String {
    var name = String(
      String.UnicodeScalarView(
        component.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "_"
          default: scalar == "/" || scalar == "\\" || scalar == ":" ? "_" : scalar
          }
        }
      )
    )
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    while name.utf8.count > 200 { name.removeFirst() }
    return name.allSatisfy { $0 == "_" } ? "download" : name
  }
}
