// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation
internal import RaceFreeFuture

/// A file that is written under a temporary name next to its final one, and gets the final one only when it is
/// complete.
///
/// A *part* is one whose temporary name is always the same, and which stays for a later download, with its record.
///
/// The lock is held while system calls work on the file, so that none of them gets a descriptor that has been closed,
/// and perhaps opened again for another file. Nothing else is called under it.
package final class PartialFile: Sendable {
  private enum State {
    case new
    /// The descriptor is owned by this object, and so is the record that a part has.
    case open(Int32, PartRecord?)
    case kept
    case discarded
  }

  private let destination: URL
  private let isReplacing: Bool
  private let url: URL
  private let isPart: Bool
  /// The number of bytes after which a part is saved: so many may be lost when the program is killed.
  private let step: Int64
  /// Guards the state of the file; inside are system calls on it, which may take as long as the disk.
  private let state = Locked(State.new)

  package init(
    for destination: URL,
    replacing isReplacing: Bool,
    keepingPart isPart: Bool = false,
    step: Int64 = 1 << 22
  ) {
    self.destination = destination
    self.isReplacing = isReplacing
    self.isPart = isPart
    self.step = step
    var name = destination.lastPathComponent
    if !isPart {
      // Names have at most 255 bytes.
      while name.utf8.count > 200 { name.removeLast() }
      name += ".\(UUID().uuidString.prefix(8))"
    }
    url = destination.deletingLastPathComponent().appendingPathComponent(".\(name).part")
  }

  deinit { discard() }

  /// Creates the file under its temporary name, or opens the part that is there.
  ///
  /// - Returns: The description of the body that begins with the part, and the number of its bytes; nil for a new file.
  @discardableResult
  package func create() throws -> (body: Data, count: Int64)? {
    guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: info) }
    try checkDestination()
    let (part, code): (PartRecord.Content?, Int32) = state.withLock { state in
      guard case .new = state else { return (nil, EINVAL) }
      var record: PartRecord?
      if isPart {
        switch PartRecord.open(recordPath) {
        case .success(let opened): record = opened
        case .failure(let error): return (nil, error.code)
        }
      }
      if let part = record?.read(), let descriptor = reopen(part) {
        record?.goOn(from: part.count)
        state = .open(descriptor, record)
        return (part, 0)
      }
      // A file that doesn't fit isn't emptied: it may have another name, too.
      if isPart { remove() }
      // Safe, as in all functions below: the strings and bytes live through the call.
      let descriptor = unsafe open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        let code = errno
        record?.close()
        return (nil, code)
      }
      let code = record?.startOver(nil, of: descriptor) ?? 0
      state = .open(descriptor, record)
      return (nil, code)
    }
    if code != 0 { throw systemError(code) }
    return part.map { ($0.body, $0.count) }
  }

  /// Opens the part that a record describes, without the bytes that aren't certain; nil if it isn't there.
  private func reopen(_ part: PartRecord.Content) -> Int32? {
    let descriptor = unsafe open(url.path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    // Not its device, which may have another number after a restart of the system.
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      UInt64(status.st_ino) == part.file, Int64(status.st_size) >= part.count, cut(descriptor, to: part.count) == 0
    else {
      _ = close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Appends to the file; does nothing if it has been discarded.
  package func write(_ data: Data) throws {
    try change { descriptor, record in
      let code = unsafe data.withUnsafeBytes { bytes in unsafe writeAll(bytes, to: descriptor) }
      return code == 0 ? record?.save(descriptor, every: step) ?? 0 : code
    }
  }

  /// Truncates the file, and continues writing at its end; does nothing if it has been discarded.
  package func truncate(to length: Int64) throws {
    try change { descriptor, record in
      let code = record?.shorten(to: length) ?? 0
      return code == 0 ? cut(descriptor, to: length) : code
    }
  }

  /// Empties the file for another body; does nothing if it has been discarded.
  ///
  /// - Parameter body: A description of the body, in one line, if it can be continued: without it a part is of no use.
  /// - Throws: `CocoaError`.
  package func startOver(_ body: Data? = nil) throws {
    try change { descriptor, record in
      let code = record?.startOver(body, of: descriptor) ?? 0
      return code == 0 ? cut(descriptor, to: 0) : code
    }
  }

  private func change(_ body: (Int32, inout PartRecord?) -> Int32) throws {
    let code: Int32 = state.withLock { state in
      guard case .open(let descriptor, var record) = state else { return 0 }
      defer { state = .open(descriptor, record) }
      return body(descriptor, &record)
    }
    if code != 0 { throw systemError(code) }
  }

  private func cut(_ descriptor: Int32, to length: Int64) -> Int32 {
    ftruncate(descriptor, off_t(length)) == 0 && lseek(descriptor, off_t(length), SEEK_SET) >= 0 ? 0 : errno
  }

  /// Gives the file its final name; if that fails, discards it.
  ///
  /// A file that has been discarded before, or kept, is an error.
  package func keep() throws {
    let code: Int32 = state.withLock { state in
      guard case .open(let descriptor, var record) = state else { return ENOENT }
      var code = isFile(descriptor, at: url.path) ? record?.save(descriptor) ?? 0 : ENOENT
      if close(descriptor) != 0, errno != EINTR, code == 0 { code = errno }
      if code == 0 { code = isReplacing ? replace() : renameExclusively(url.path, to: destination.path) }
      state = code == 0 ? .kept : .discarded
      if code == 0 { record?.remove() } else { removeUnlessOfUse(record) }
      // Until here nobody else opens the part.
      record?.close()
      return code
    }
    if code != 0 { throw systemError(code) }
  }

  /// Removes the file, unless it has its final name, or is a part that is of use.
  package func discard() {
    state.withLock { state in
      if case .kept = state { return }
      if case .open(let descriptor, var record) = state {
        _ = record?.save(descriptor)
        _ = close(descriptor)
        removeUnlessOfUse(record)
        record?.close()
      }
      state = .discarded
    }
  }

  /// Removes the part for a destination, with its record; throws if a download is writing it.
  package static func removePart(for destination: URL) throws {
    let file = PartialFile(for: destination, replacing: true, keepingPart: true)
    switch PartRecord.open(file.recordPath) {
    case .success(let record):
      file.remove()
      record.remove()
      record.close()
    case .failure(let error): throw file.systemError(error.code)
    }
  }

  private var recordPath: String { url.path + ".record" }

  private func removeUnlessOfUse(_ record: PartRecord?) {
    guard record?.isOfUse != true else { return }
    remove()
    record?.remove()
  }

  private func remove() {
    _ = unsafe unlink(url.path)
  }

  /// Replaces the destination if that is allowed at the moment of the call.
  private func replace() -> Int32 {
    let code = obstacle()
    if code != 0 { return code }
    return unsafe rename(url.path, destination.path) == 0 ? 0 : errno
  }

  /// Throws the error that `keep` would throw, as far as it can be known before.
  private func checkDestination() throws {
    let code = obstacle()
    if code != 0 { throw systemError(code) }
  }

  /// Returns the error code that forbids replacing the destination: folders, devices, pipes and everything else that
  /// isn't a regular file are never replaced.
  private func obstacle() -> Int32 {
    var status = stat()
    // Not `stat`: the link itself would be replaced, not its target.
    guard unsafe lstat(destination.path, &status) == 0 else { return 0 }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return isReplacing ? EISDIR : EEXIST
    case S_IFREG, S_IFLNK: return isReplacing ? 0 : EEXIST
    default: return EEXIST
    }
  }

  private var info: [String: Any] { [NSFilePathErrorKey: destination.path] }

  private func systemError(_ code: Int32) -> CocoaError { CocoaError(writing: destination, code) }
}
