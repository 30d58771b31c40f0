// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// A file in a folder that a user has named, with a name made of the words of a test.
struct NamedFile {
  let path: String

  /// - Parameters:
  ///   - folder: The folder; it is made, with its parents. That it can't be shows when the file is written.
  ///   - words: What distinguishes the file.
  ///   - kind: The end of its name.
  init(in folder: String, _ words: String, kind: String) {
    // Words that are the same as file names are distinguished by a number that depends only on them.
    let number = words.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let name = words.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-").prefix(80)
    path = "\(folder)/\(name)-\(String(number % 0x1_0000_0000, radix: 16)).\(kind)"
    var parts = ""
    for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
      parts += part + "/"
      if !part.isEmpty { unsafe mkdir(parts, 0o755) }
    }
  }

  /// Replaces the text of the file; if that fails, it says so on standard error.
  ///
  /// - Returns: True if it was written.
  @discardableResult
  func write(_ text: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else {
      // Read at once.
      let reason = unsafe String(cString: strerror(errno))
      printToStandardError("RaceFreeFutureTesting: the report can't be kept in \(path): \(reason)")
      return false
    }
    // Writes only the bytes of the text.
    unsafe fputs(text, file)
    return unsafe fclose(file) == 0
  }
}
