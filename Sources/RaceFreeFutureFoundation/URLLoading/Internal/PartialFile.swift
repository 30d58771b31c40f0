// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// A file that is written under a temporary name next to its final one, and gets the final one only when it is whole.
///
/// `@unchecked Sendable`: `lock` guards `state`; system calls that work on the file are made while it is held, and
/// nothing else.
final class PartialFile: @unchecked Sendable {
  private enum State {
    case new
    case open(FileHandle)
    /// It has its final name, or is gone; or it never comes to be.
    case over
  }

  private let destination: URL
  private let isReplacing: Bool
  private let url: URL
  private let lock = NSLock()
  private var state = State.new

  init(for destination: URL, replacing isReplacing: Bool) {
    self.destination = destination
    self.isReplacing = isReplacing
    let mark = UUID().uuidString.prefix(8)
    // Names have at most 255 bytes.
    var name = destination.lastPathComponent
    while name.utf8.count > 200 { name.removeLast() }
    url = destination.deletingLastPathComponent().appendingPathComponent(".\(name).\(mark).part")
  }

  /// Creates the file under its temporary name.
  func create() throws {
    guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: info) }
    var isDirectory: ObjCBool = false
    // Safe: the function writes to the variable before it returns, and keeps nothing.
    let isTaken = unsafe FileManager.default.fileExists(atPath: destination.path, isDirectory: &isDirectory)
    if isTaken, isDirectory.boolValue || !isReplacing { throw systemError(isReplacing ? EISDIR : EEXIST) }
    try lock.withLock {
      guard case .new = state else { return }
      try Data().write(to: url, options: .withoutOverwriting)
      do {
        state = .open(try FileHandle(forWritingTo: url))
      } catch {
        remove()
        throw error
      }
    }
  }

  /// Adds to the file; does nothing if that is over.
  func write(_ data: Data) throws {
    try lock.withLock {
      if case .open(let handle) = state { try handle.write(contentsOf: data) }
    }
  }

  /// Gives the file its final name.
  func keep() throws {
    try lock.withLock {
      guard case .open(let handle) = state else { return }
      try handle.close()
      try isReplacing ? replace() : appear()
      state = .over
    }
  }

  /// Removes the file, unless it has its final name.
  func discard() {
    lock.withLock {
      if case .open(let handle) = state {
        try? handle.close()
        remove()
      }
      state = .over
    }
  }

  private func remove() {
    // Safe, as in the two functions below: the strings live through the call.
    _ = unsafe unlink(url.path)
  }

  private func replace() throws {
    guard unsafe rename(url.path, destination.path) == 0 else { throw systemError(errno) }
  }

  /// Never replaces another file, even one that appears at this very moment: renaming would.
  private func appear() throws {
    if unsafe link(url.path, destination.path) == 0 {
      remove()
      return
    }
    let code = errno
    // Some file systems have no hard links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) else { throw systemError(code) }
    try FileManager.default.moveItem(at: url, to: destination)
  }

  private var info: [String: Any] { [NSFilePathErrorKey: destination.path] }

  private func systemError(_ code: Int32) -> CocoaError {
    let kind: CocoaError.Code =
      switch code {
      case EEXIST, ENOTEMPTY, EISDIR: .fileWriteFileExists
      case ENOENT, ENOTDIR: .fileNoSuchFile
      case EACCES, EPERM: .fileWriteNoPermission
      case EROFS: .fileWriteVolumeReadOnly
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      default: .fileWriteUnknown
      }
    let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
    return CocoaError(kind, userInfo: info.merging([NSUnderlyingErrorKey: cause]) { old, _ in old })
  }
}
