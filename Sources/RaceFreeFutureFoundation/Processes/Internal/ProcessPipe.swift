// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// The two ends of a pipe: one for the child, and one for this program, which doesn't block.
  ///
  /// Both are closed on exec, so that a child which is launched at the same time by somebody else doesn't keep them.
  struct ProcessPipe {
    let own: Int32
    /// Closed by `close()` of the handle, and by nothing else.
    let childs: FileHandle

    /// Makes a pipe.
    ///
    /// - Parameter reading: Whether the own end is the one that reads.
    /// - Throws: `POSIXError` if the system has no descriptors left.
    init(reading: Bool) throws {
      guard var ends = makePipe() else { throw Self.error() }
      // Numbers below 3 are where the child's ends are copied to, one after the other: they would be overwritten.
      for index in ends.indices where ends[index] <= STDERR_FILENO {
        let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let error = Self.error()
        closeDescriptor(ends[index])
        ends[index] = moved
        if moved < 0 {
          closeDescriptor(ends[1 - index])
          throw error
        }
      }
      own = reading ? ends[0] : ends[1]
      childs = FileHandle(fileDescriptor: reading ? ends[1] : ends[0], closeOnDealloc: true)
      _ = fcntl(own, F_SETFL, fcntl(own, F_GETFL) | O_NONBLOCK)
      #if canImport(Darwin)
        _ = fcntl(own, F_SETNOSIGPIPE, 1)
      #endif
    }

    func close() {
      closeChilds()
      closeDescriptor(own)
    }

    func closeChilds() { try? childs.close() }

    private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
#endif
