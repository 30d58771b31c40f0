// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  package import Testing
#endif

/// The place of a call in the source code of a test.
package struct CallSite: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: Int
  package let column: Int

  package init(fileID: StaticString, filePath: StaticString, line: Int, column: Int) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    #if canImport(Testing)
      location = SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: line, column: column)
    #endif
  }

  #if canImport(Testing)
    package let location: SourceLocation

    /// Creates the place of a test, which only Swift Testing is told.
    package init(_ location: SourceLocation) {
      (fileID, filePath, line, column) = (#fileID, #filePath, location.line, location.column)
      self.location = location
    }
  #endif
}
