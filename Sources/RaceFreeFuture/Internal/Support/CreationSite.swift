// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Where in the source a future was made: what it is called when it has no label.
///
/// Twelve bytes, because every future holds one.
///
/// Safe: the pointer is that of a string literal, which ends with a zero and is there for ever.
@safe
struct CreationSite: Sendable {
  private nonisolated(unsafe) let file: UnsafePointer<UInt8>
  let line: UInt32

  init(_ fileID: StaticString, _ line: UInt) {
    // A literal of a single scalar may have no pointer; what the compiler gives for `#fileID` has one.
    let file = fileID.hasPointerRepresentation ? fileID : "?"
    unsafe self.file = unsafe file.utf8Start
    self.line = UInt32(truncatingIfNeeded: line)
  }

  var fileID: String { unsafe String(cString: file) }
}

extension CreationSite: CustomStringConvertible {
  var description: String { "\(fileID):\(line)" }
}
