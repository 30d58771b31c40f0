// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

/// The record beside a part of a file that a later download may continue: which body the part begins, and how many of its
/// bytes are certain.
///
/// It has lines, and is only appended to: the description of the body, the number of the part's file in the file system,
/// and then numbers of bytes, the last of which counts. A line counts once it has its end.
/// 1. A number is written after its bytes have been, to the disk.
/// 2. The record is empty, on the disk, before bytes of another body are written.
///
/// So a program that is killed, and a system that loses its power, leave a beginning of the body behind, or nothing of use.
///
/// The descriptor has a lock: its owner owns the part.
struct PartRecord {
  private let path: String
  private let descriptor: Int32
  /// The number that counts.
  private var certain: Int64 = 0
  /// True if there is a description, with which the part is of use.
  private(set) var isOfUse = false

  /// What a record says.
  struct Content: Equatable {
    var body: Data
    var file: UInt64
    var count: Int64
  }

  /// Opens the record at a path, or creates it; fails with `EWOULDBLOCK` if it has another owner.
  static func open(_ path: String) -> Result<PartRecord, SystemError> {
    for _ in 0..<100 {
      // Safe, as in all functions below: the strings and bytes live through the call.
      let descriptor = unsafe Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        _ = Foundation.close(descriptor)
        return .failure(SystemError(code: code))
      }
      // The owner before may have removed it: then this is the lock of a file without a name.
      if isFile(descriptor, at: path) { return .success(PartRecord(path: path, descriptor: descriptor)) }
      _ = Foundation.close(descriptor)
    }
    return .failure(SystemError(code: EWOULDBLOCK))
  }

  private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

  /// Returns what the record says; nil if that is incomplete.
  func read() -> Content? {
    var (text, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
    var count = 0
    repeat {
      count = unsafe pread(descriptor, &buffer, buffer.count, off_t(text.count))
      if count > 0 { text += buffer[..<count] }
    } while count > 0 || (count < 0 && errno == EINTR)
    // What follows the last newline isn't a line.
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    let numbers = lines.dropFirst().map { UInt64(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count >= 2, let file = numbers[0], let last = numbers[numbers.count - 1],
      let count = Int64(exactly: last)
    else { return nil }
    return Content(body: Data(lines[0]), file: file, count: count)
  }

  /// Notes that the part is as the record says.
  mutating func goOn(from count: Int64) { (certain, isOfUse) = (count, true) }

  /// Empties the record for another body, whose description it gets if there is one; returns 0, or the code of the error.
  mutating func startOver(_ body: Data?, of file: Int32) -> Int32 {
    (certain, isOfUse) = (0, false)
    guard ftruncate(descriptor, 0) == 0, fsync(descriptor) == 0 else { return errno }
    guard let body else { return 0 }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return errno }
    let code = append(body + Data("\n\(status.st_ino)\n".utf8))
    isOfUse = code == 0
    return code
  }

  /// Saves the file, if it is of use and has enough bytes that aren't certain; returns 0, or the code of the error.
  mutating func save(_ file: Int32, every step: Int64 = 1) -> Int32 {
    let length = Int64(lseek(file, 0, SEEK_CUR))
    guard isOfUse, length - certain >= step else { return 0 }
    guard fsync(file) == 0 else { return errno }
    certain = length
    return append(Data("\(length)\n".utf8))
  }

  /// Notes that the file will have fewer bytes; returns 0, or the code of the error.
  mutating func shorten(to length: Int64) -> Int32 {
    guard isOfUse, length < certain else { return 0 }
    certain = length
    let code = append(Data("\(length)\n".utf8))
    return code == 0 && fsync(descriptor) != 0 ? errno : code
  }

  private func append(_ line: Data) -> Int32 {
    unsafe line.withUnsafeBytes { bytes in unsafe writeAll(bytes, to: descriptor) }
  }

  /// Removes the record; it still has its owner.
  func remove() { _ = unsafe unlink(path) }

  /// Leaves the record to others.
  ///
  /// The lock is given back by itself: a child process that is being started has a copy of the descriptor until its program
  /// begins, and would keep it until then.
  func close() {
    _ = flock(descriptor, LOCK_UN)
    _ = Foundation.close(descriptor)
  }
}

/// The code of an error of a system call.
struct SystemError: Error { var code: Int32 }

/// Returns true if the path is still that of the open file: other code may have removed it, or have put another file or a
/// symbolic link in its place.
func isFile(_ descriptor: Int32, at path: String) -> Bool {
  var (own, found) = (stat(), stat())
  guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &found) == 0 else { return false }
  return own.st_dev == found.st_dev && own.st_ino == found.st_ino
}
