// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Writes a line to standard error.
package func printToStandardError(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // No more than there are.
  unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: STDERR_FILENO) }
}

/// True if standard error is a terminal.
package var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

/// Writes bytes to a file descriptor, as far as it accepts them; safe in a signal handler.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) {
  var done = 0
  while done < bytes.count, let start = bytes.baseAddress {
    // In bounds: the written range begins and ends within the bytes.
    let written = unsafe write(descriptor, start + done, bytes.count - done)
    if written < 0, errno == EINTR { continue }
    if written <= 0 { return }
    done += written
  }
}
