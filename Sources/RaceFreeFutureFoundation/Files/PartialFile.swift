// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation
internal import RaceFreeFuture

/// A file that is written under a temporary name next to its final one, and gets the final one only when it is
/// complete.
///
/// The lock is held while system calls work on the file, so that none of them gets a descriptor that has been closed,
/// and perhaps opened again for another file. Nothing else is called under it.
package final class PartialFile: Sendable {
  private enum State {
    case new
    /// The descriptor is owned by this object.
    case open(Int32)
    case kept
    case discarded
  }

  private let destination: URL
  private let isReplacing: Bool
  private let url: URL
  /// Guards the state of the file; inside are system calls on it, which may take as long as the disk.
  private let state = Locked(State.new)

  package init(for destination: URL, replacing isReplacing: Bool) {
    self.destination = destination
    self.isReplacing = isReplacing
    let mark = UUID().uuidString.prefix(8)
    // Names have at most 255 bytes.
    var name = destination.lastPathComponent
    while name.utf8.count > 200 { name.removeLast() }
    url = destination.deletingLastPathComponent().appendingPathComponent(".\(name).\(mark).part")
  }

  deinit { discard() }

  /// Creates the file under its temporary name.
  package func create() throws {
    guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: info) }
    try checkDestination()
    let code: Int32 = state.withLock { state in
      guard case .new = state else { return EINVAL }
      // Safe, as in all functions below: the strings and bytes live through the call.
      let descriptor = unsafe open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return errno }
      state = .open(descriptor)
      return 0
    }
    if code != 0 { throw systemError(code) }
  }

  /// Appends to the file; does nothing if it has been discarded.
  package func write(_ data: Data) throws {
    let code: Int32 = state.withLock { state in
      guard case .open(let descriptor) = state else { return 0 }
      return unsafe data.withUnsafeBytes { bytes in unsafe writeAll(bytes, to: descriptor) }
    }
    if code != 0 { throw systemError(code) }
  }

  /// Truncates the file, and continues writing at its end; does nothing if it has been discarded.
  package func truncate(to length: Int64) throws {
    let code: Int32 = state.withLock { state in
      guard case .open(let descriptor) = state else { return 0 }
      return ftruncate(descriptor, off_t(length)) == 0 && lseek(descriptor, off_t(length), SEEK_SET) >= 0 ? 0 : errno
    }
    if code != 0 { throw systemError(code) }
  }

  /// Gives the file its final name; if that fails, discards it.
  ///
  /// A file that has been discarded before, or kept, is an error.
  package func keep() throws {
    let code: Int32 = state.withLock { state in
      guard case .open(let descriptor) = state else { return ENOENT }
      var code = isThere(descriptor) ? 0 : ENOENT
      if close(descriptor) != 0, errno != EINTR, code == 0 { code = errno }
      if code == 0 { code = isReplacing ? replace() : renameExclusively(url.path, to: destination.path) }
      state = code == 0 ? .kept : .discarded
      if code != 0 { remove() }
      return code
    }
    if code != 0 { throw systemError(code) }
  }

  /// Removes the file, unless it has its final name.
  package func discard() {
    state.withLock { state in
      if case .kept = state { return }
      if case .open(let descriptor) = state {
        _ = close(descriptor)
        remove()
      }
      state = .discarded
    }
  }

  /// Returns true if the temporary name is still that of the open file: other code may have removed it, or have put
  /// another file or a symbolic link in its place.
  private func isThere(_ descriptor: Int32) -> Bool {
    var (own, found) = (stat(), stat())
    guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(url.path, &found) == 0 else { return false }
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino
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
