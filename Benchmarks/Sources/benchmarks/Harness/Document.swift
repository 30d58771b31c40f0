// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// A page in Markdown of which some parts are generated.
///
/// Each stands between the lines `<!-- name: generated -->` and `<!-- name: end -->`.
struct Document {
  private let url: URL
  private var text: String

  struct MissingPart: Error, CustomStringConvertible {
    let name: String
    let path: String
    var description: String { "\(path) has no lines <!-- \(name): generated --> and <!-- \(name): end -->" }
  }

  init(path: String) throws {
    url = URL(filePath: path)
    text = try String(contentsOf: url, encoding: .utf8)
  }

  mutating func replace(_ name: String, with content: String) throws {
    guard
      let head = text.range(of: "<!-- \(name): generated -->\n"),
      let foot = text.range(of: "<!-- \(name): end -->", range: head.upperBound..<text.endIndex)
    else { throw MissingPart(name: name, path: url.path()) }
    text.replaceSubrange(head.upperBound..<foot.lowerBound, with: "\n\(content)\n\n")
  }

  func save() throws {
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
}
