// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

/// A way to give a file an unused name; returns 0, or the code of the error.
package typealias RenamingWay = @Sendable (_ path: String, _ newPath: String) -> Int32

/// Gives a file another name, and never an existing file's, even if that appears at the same time.
///
/// Not every file system supports each way: the first way that isn't refused counts.
///
/// - Returns: 0, or the code of the error: EEXIST if the name is taken.
package func renameExclusively(_ path: String, to newPath: String, by ways: [RenamingWay] = renamingWays) -> Int32 {
  var code = ENOTSUP
  for way in ways {
    code = way(path, newPath)
    if !refusals.contains(code) { break }
  }
  return code
}

/// The error codes of a system or a file system that doesn't support a way.
///
/// They may also mean that the folder isn't writable; then every way fails with them.
private let refusals = [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP, EPERM, EACCES, EMLINK]

/// The ways, best first.
package let renamingWays: [RenamingWay] = [renamingInOneStep, renamingByLink, renamingByClaim]

// Safe, in all of them: the strings live through the calls.

/// Renames by the dedicated system call; network file systems refuse it.
@Sendable private func renamingInOneStep(_ path: String, _ newPath: String) -> Int32 {
  #if canImport(Darwin)
    return unsafe renamex_np(path, newPath, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
  #else
    guard let renameat2 = unsafe renameat2 else { return ENOSYS }
    let dontReplace: UInt32 = 1
    return unsafe renameat2(AT_FDCWD, path, AT_FDCWD, newPath, dontReplace) == 0 ? 0 : errno
  #endif
}

/// Adds a second name, and removes the first; FAT and Android refuse hard links.
///
/// A program that ends in between leaves both names.
@Sendable private func renamingByLink(_ path: String, _ newPath: String) -> Int32 {
  guard unsafe link(path, newPath) == 0 else { return errno }
  _ = unsafe unlink(path)
  return 0
}

/// Reserves the name by an empty file, which is replaced at once: it is visible in between, and is left behind by a
/// program that ends.
@Sendable private func renamingByClaim(_ path: String, _ newPath: String) -> Int32 {
  let descriptor = unsafe open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { return errno }
  _ = close(descriptor)
  guard unsafe rename(path, newPath) == 0 else {
    let code = errno
    _ = unsafe unlink(newPath)
    return code
  }
  return 0
}

#if !canImport(Darwin)
  /// Looked up at run time, since Swift doesn't import it, and not every C library has it.
  ///
  /// Safe: that is the type of the function of this name, which is never unloaded.
  private let renameat2: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32)? =
    unsafe dlsym(nil, "renameat2").map { symbol in
      unsafe unsafeBitCast(
        symbol,
        to: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32).self
      )
    }
#endif
