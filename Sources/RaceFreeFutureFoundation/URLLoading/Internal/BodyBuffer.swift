// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation

/// The bytes of a body that have arrived and haven't been read, in order: up to a limit in memory, and if it spills,
/// the others in an unnamed file.
///
/// 1. Bytes in the file come after those in memory; as long as there is a file, nothing is added in memory.
/// 2. There is a file only while it has unread bytes.
package struct BodyBuffer: Sendable {
  /// The largest piece that is assembled from small ones, or read from the file.
  private static let pieceSize = 65_536

  private let memoryLimit: Int
  private let isSpilling: Bool
  private var pieces: [Data] = []
  private var file: SpillFile?
  /// The number of bytes in memory.
  package private(set) var bytesInMemory = 0

  /// Makes an empty buffer.
  ///
  /// - Parameters:
  ///   - memoryLimit: The number of bytes in memory from which on the buffer is full.
  ///   - isSpilling: True if it continues in a file when it is full, false if in memory.
  package init(memoryLimit: Int, spilling isSpilling: Bool) {
    self.memoryLimit = memoryLimit
    self.isSpilling = isSpilling
  }

  /// True if no more should be added in memory.
  package var isFull: Bool { bytesInMemory >= memoryLimit }

  /// True if there is nothing to read.
  package var isEmpty: Bool { pieces.isEmpty && file == nil }

  /// The number of bytes in the file.
  package var bytesInFile: Int { file?.count ?? 0 }

  /// Adds bytes.
  package mutating func append(_ data: Data) throws {
    if data.isEmpty { return }
    if isSpilling, isFull || file != nil {
      let file = try self.file ?? SpillFile()
      self.file = file
      return try file.append(data)
    }
    bytesInMemory += data.count
    if let last = pieces.last, last.count + data.count <= Self.pieceSize {
      pieces[pieces.count - 1].append(data)
    } else {
      pieces.append(data)
    }
  }

  /// Removes and returns the next piece; nil if there is none.
  package mutating func removeFirst() throws -> Data? {
    if let piece = pieces.first {
      pieces.removeFirst()
      bytesInMemory -= piece.count
      return piece
    }
    guard let file else { return nil }
    let piece = try file.removeFirst(Self.pieceSize)
    if file.count == 0 { self.file = nil }
    return piece
  }
}

/// An unnamed file, for bytes that are read in the order in which they were written.
///
/// `@unchecked Sendable`: it is part of a `BodyBuffer`, and used with it, by one thread at a time.
private final class SpillFile: @unchecked Sendable {
  private let url: URL
  /// Closed only at the end, by this object.
  private let descriptor: Int32
  private var readEnd: Int64 = 0
  private var writeEnd: Int64 = 0

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).part")
    // Safe, as in all functions below: the strings and bytes live through the calls.
    descriptor = unsafe open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(writing: url, errno) }
    _ = unsafe unlink(url.path)
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  var count: Int { Int(writeEnd - readEnd) }

  func append(_ data: Data) throws {
    let code = unsafe data.withUnsafeBytes { bytes in
      guard lseek(descriptor, off_t(writeEnd), SEEK_SET) >= 0 else { return errno }
      return unsafe writeAll(bytes, to: descriptor)
    }
    if code != 0 { throw CocoaError(writing: url, code) }
    writeEnd += Int64(data.count)
  }

  func removeFirst(_ limit: Int) throws -> Data {
    var data = Data(count: min(limit, count))
    let read = unsafe data.withUnsafeMutableBytes { bytes in
      var read: Int
      repeat {
        read = unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(readEnd))
      } while read < 0 && errno == EINTR
      return read
    }
    guard read > 0 else { throw CocoaError(reading: url, read < 0 ? errno : EIO) }
    readEnd += Int64(read)
    return data.prefix(read)
  }
}
