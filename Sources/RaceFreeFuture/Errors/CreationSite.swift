// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The place in the source where a future was created, which is its name if it has no label.
///
/// Twelve bytes, because every future holds one.
///
/// Safe: the pointer points to a string literal, which ends with a zero and is valid forever.
@safe
struct CreationSite: Sendable {
  private nonisolated(unsafe) let file: UnsafePointer<UInt8>
  let line: UInt32

  init(_ fileID: StaticString, _ line: UInt) {
    // A literal of a single scalar may have no pointer; `#fileID` has one.
    let file = fileID.hasPointerRepresentation ? fileID : "?"
    unsafe self.file = unsafe file.utf8Start
    self.line = UInt32(truncatingIfNeeded: line)
  }

  var fileID: String { unsafe String(cString: file) }
}

extension CreationSite: CustomStringConvertible {
  var description: String { "\(fileID):\(line)" }
}
