// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Where in the source a future was made: what it is called when it has no label.
struct CreationSite: Sendable {
  let fileID: StaticString
  /// Narrow, because every future holds one.
  let line: UInt32

  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
  }
}

extension CreationSite: CustomStringConvertible {
  var description: String { "\(fileID):\(line)" }
}
