// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The place of a call in the source code of a test.
package struct CallSite: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: Int
  package let column: Int

  package init(fileID: StaticString, filePath: StaticString, line: Int, column: Int) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }
}
