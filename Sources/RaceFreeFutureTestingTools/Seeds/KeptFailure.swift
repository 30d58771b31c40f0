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

/// The report of a test that failed, kept in a file until the test passes: so that its seed is tried first the next
/// time.
///
/// The environment variable `RACEFREEFUTURE_FAILURES` names the folder; without it nothing is kept. A file is a report
/// as it is printed, with the seed in its last line: readable, and suitable as an artifact.
package struct KeptFailure: Sendable {
  private let file: NamedFile

  /// The file, one for each test.
  package var path: String { file.path }

  /// Creates the failure of a test; nil if nothing is kept.
  package init?(_ name: String, _ function: String) {
    guard let folder = environment("RACEFREEFUTURE_FAILURES"), !folder.isEmpty else { return nil }
    self.init(folder: folder, name, function)
  }

  package init(folder: String, _ name: String, _ function: String) {
    file = NamedFile(in: folder, "\(function) \(name)", kind: "txt")
  }

  /// The seed with which the test failed the last time.
  var seed: UInt64? {
    guard let text = read() else { return nil }
    let mark = seedVariable + "="
    // A report may quote the line of another one; the last is its own.
    return text.split(separator: "\n").last { $0.contains(mark) }.flatMap { line in
      let start = line.utf8.count - (line.split(separator: mark, maxSplits: 1).last?.utf8.count ?? 0)
      return UInt64(line.utf8.dropFirst(start).prefix { 48...57 ~= $0 }.map { String(UnicodeScalar($0)) }.joined())
    }
  }

  /// Keeps the report if the test failed, otherwise removes the kept one.
  package func note(_ report: some TestReport) {
    if report.passed {
      unsafe unlink(path)
    } else {
      file.write("\(report)\n")
    }
  }

  /// The order in which the exploration failed the last time.
  package var order: [Int]? {
    guard let line = read()?.split(separator: "\n").last(where: { $0.contains(Self.orderMark) }) else { return nil }
    return line.split(separator: "\"").dropFirst().first.flatMap { OrderText.lines(String($0)) }
  }

  private static let orderMark = ".replay(\""

  private func read() -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // Reads no more than the buffer holds.
    while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
