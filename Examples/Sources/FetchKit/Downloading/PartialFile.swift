// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A file that is being written under a temporary name next to its final one, and gets the final one only when it is
/// whole.
final class PartialFile: Sendable {
  private let url: URL
  /// Guards the handle: nil when the file is closed, after which writing does nothing.
  private let handle: Mutex<FileHandle?>

  /// Creates the file.
  ///
  /// Its name begins with a dot, which no final name does.
  init(for file: URL) throws(DownloadError) {
    let mark = UUID().uuidString.prefix(8)
    let url = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).\(mark).part")
    let handle = try inWords { () throws in
      try Data().write(to: url, options: .withoutOverwriting)
      return try FileHandle(forWritingTo: url)
    }
    self.url = url
    self.handle = Mutex(handle)
  }

  func write(_ data: Data) throws(DownloadError) {
    try handle.withLock { handle throws(DownloadError) in
      try inWords { () throws in try handle?.write(contentsOf: data) }
    }
  }

  func close() {
    handle.withLock { handle in
      try? handle?.close()
      handle = nil
    }
  }

  /// Gives the file its final name.
  ///
  /// Never replaces another file.
  func keep(as file: URL) throws(DownloadError) {
    try inWords { () throws in try FileManager.default.moveItem(at: url, to: file) }
  }

  /// Removes what has been written.
  func discard() {
    close()
    try? FileManager.default.removeItem(at: url)
  }
}

/// Runs a block that deals with files, and says in words what went wrong.
func inWords<T>(_ body: () throws -> T) throws(DownloadError) -> T {
  do {
    return try body()
  } catch {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error } ?? error
    let code = cause as NSError
    let words =
      code.domain == NSPOSIXErrorDomain
      ? unsafe String(cString: strerror(Int32(code.code))) : cause.localizedDescription
    throw .file(words)
  }
}
