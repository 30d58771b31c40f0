// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Where in the source a future was made: what it is called when it has no label.
struct CreationSite: Sendable {
  let fileID: StaticString
  let line: UInt

  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = line
  }
}

extension CreationSite: CustomStringConvertible {
  var description: String { "\(fileID):\(line)" }
}
