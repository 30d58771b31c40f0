// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

extension CocoaError {
  /// Creates the error of a system call that writes a file.
  init(writing file: URL, _ code: Int32) {
    let kind: CocoaError.Code =
      switch code {
      case EEXIST, ENOTEMPTY, EISDIR: .fileWriteFileExists
      case ENOENT, ENOTDIR: .fileNoSuchFile
      case EACCES, EPERM: .fileWriteNoPermission
      // Only a lock is refused like that.
      case EWOULDBLOCK: .fileLocking
      case EROFS: .fileWriteVolumeReadOnly
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      default: .fileWriteUnknown
      }
    self.init(kind, file, code)
  }

  /// Creates the error of a system call that reads a file.
  init(reading file: URL, _ code: Int32) {
    let kind: CocoaError.Code =
      switch code {
      case ENOENT, ENOTDIR: .fileReadNoSuchFile
      case EACCES, EPERM: .fileReadNoPermission
      default: .fileReadUnknown
      }
    self.init(kind, file, code)
  }

  private init(_ kind: CocoaError.Code, _ file: URL, _ code: Int32) {
    let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
    self.init(kind, userInfo: [NSFilePathErrorKey: file.path, NSUnderlyingErrorKey: cause])
  }
}

/// Writes all bytes to a descriptor, with as many calls as needed; returns 0, or the code of the error.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var written = 0
  while written < bytes.count {
    // Safe: the caller keeps the bytes alive, and no call reads more than there are.
    let count = unsafe write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
    if count >= 0 { written += count } else if errno != EINTR { return errno }
  }
  return 0
}
