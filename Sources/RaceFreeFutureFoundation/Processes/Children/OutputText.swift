// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  package import Foundation

  /// Makes text of bytes that come in pieces: the same as of all bytes at once.
  ///
  /// Bytes that aren't UTF-8 become U+FFFD, by the rules of `String(decoding:as:)`. Text can be cut before the first
  /// byte of a character without changing that; bytes whose end hasn't come are kept.
  package struct OutputText: Sendable {
    /// The unit into which the text is cut.
    package enum Unit: Sendable {
      /// Lines, without their ends, of at most `limit` bytes.
      case lines(limit: Int)
      /// Pieces as they come, of whole scalars.
      case pieces
    }

    private let unit: Unit
    /// The bytes that belong to the next text.
    private var rest = Data()

    package init(_ unit: Unit) {
      self.unit = unit
    }

    /// Takes more bytes.
    ///
    /// - Returns: The texts that are complete now, and true if a line that is longer than the limit follows.
    package mutating func append(_ bytes: Data) -> (texts: [String], isTooLong: Bool) {
      switch unit {
      case .lines(let limit): appendLines(bytes, limit)
      case .pieces: (appendPiece(bytes), false)
      }
    }

    /// Returns the rest at the end; nil if it is empty.
    package mutating func finish() -> String? {
      defer { rest = Data() }
      return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    private mutating func appendLines(_ bytes: Data, _ limit: Int) -> ([String], Bool) {
      var lines: [String] = []
      var start = bytes.startIndex
      while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        rest += bytes[start..<end]
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        if rest.count > limit { return (lines, true) }
        lines.append(String(decoding: rest, as: UTF8.self))
        rest = Data()
        start = bytes.index(after: end)
      }
      rest += bytes[start...]
      // Perhaps the first half of the line's end.
      let isEnding = rest.last == UInt8(ascii: "\r")
      return (lines, rest.count - (isEnding ? 1 : 0) > limit)
    }

    private mutating func appendPiece(_ bytes: Data) -> [String] {
      rest += bytes
      let whole = rest.prefix(rest.count - unfinished(rest))
      rest = Data(rest.dropFirst(whole.count))
      return whole.isEmpty ? [] : [String(decoding: whole, as: UTF8.self)]
    }
  }

  /// Returns the number of bytes at the end that may be the beginning of a character: 3 at most.
  private func unfinished(_ bytes: Data) -> Int {
    for (count, byte) in zip(1..., bytes.suffix(3).reversed()) {
      switch byte {
      case 0x80..<0xC0: continue
      case 0xC0...: return count < (byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4) ? count : 0
      default: return 0
      }
    }
    return 0
  }
#endif
