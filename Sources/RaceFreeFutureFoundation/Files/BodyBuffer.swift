// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation

/// The bytes of a body that have arrived and haven't been read, in order: up to a limit in memory, and if it spills,
/// the others in unnamed files.
///
/// 1. Bytes in files come after those in memory; as long as there is a file, nothing is added in memory.
/// 2. There is a file only while it has unread bytes; none becomes much longer than a segment, or than half of the bytes
///    that are unread at that time: so there are few files, and they don't take much more than what is unread.
package struct BodyBuffer: Sendable {
  /// The largest piece that is assembled from small ones, or read from the file.
  private static let pieceSize = 65_536

  private let memoryLimit: Int
  private let isSpilling: Bool
  private let segmentSize: Int
  private var pieces: [Data] = []
  /// The files, the oldest one first.
  private var files: [SpillFile] = []
  /// The number of bytes in memory.
  package private(set) var bytesInMemory = 0

  /// Creates an empty buffer.
  ///
  /// - Parameters:
  ///   - memoryLimit: The number of bytes in memory from which on the buffer is full.
  ///   - isSpilling: True if it continues in files when it is full, false if in memory.
  ///   - segmentSize: The number of bytes in a file from which on the next file may be used.
  package init(memoryLimit: Int, spilling isSpilling: Bool, segmentSize: Int = 16 << 20) {
    self.memoryLimit = memoryLimit
    self.isSpilling = isSpilling
    self.segmentSize = segmentSize
  }

  /// True if no more should be added in memory.
  package var isFull: Bool { bytesInMemory >= memoryLimit }

  /// True if there is nothing to read.
  package var isEmpty: Bool { pieces.isEmpty && files.isEmpty }

  /// The number of unread bytes in files.
  package var bytesInFiles: Int { files.reduce(0) { $0 + $1.count } }

  /// The size of all files.
  package var sizeOfFiles: Int { files.reduce(0) { $0 + $1.size } }

  /// The number of files.
  package var fileCount: Int { files.count }

  /// Adds bytes.
  package mutating func append(_ data: Data) throws {
    if data.isEmpty { return }
    if isSpilling, isFull || !files.isEmpty {
      if let last = files.last, last.size < max(segmentSize, bytesInFiles / 2) { return try last.append(data) }
      let file = try SpillFile()
      try file.append(data)
      return files.append(file)
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
    guard let file = files.first else { return nil }
    let piece = try file.removeFirst(Self.pieceSize)
    if file.count == 0 { files.removeFirst() }
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

  /// The number of unread bytes.
  var count: Int { Int(writeEnd - readEnd) }

  var size: Int { Int(writeEnd) }

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
