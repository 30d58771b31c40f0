// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// The two ends of a pipe: one for the child, and one for this program, which doesn't block.
  ///
  /// Both are closed on exec, so that a child which other code launches at the same time doesn't keep them.
  struct ProcessPipe {
    let own: Int32
    /// Closed only by `close()` of the handle.
    let childs: FileHandle

    /// Makes a pipe.
    ///
    /// - Parameter reading: True if this program's end is the one that reads.
    /// - Throws: `tooFewDescriptors` if the system has none left.
    init(reading: Bool) throws(ProcessRunError) {
      let ends = try makePipe()
      own = reading ? ends.reading : ends.writing
      childs = FileHandle(fileDescriptor: reading ? ends.writing : ends.reading, closeOnDealloc: true)
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
  }

  extension FileHandle {
    /// Opens a file for a child to read, which must be a regular file: opening a pipe could block forever.
    ///
    /// It is closed on exec, so that only the intended child gets it.
    convenience init(forInputFrom file: URL) throws {
      _ = try Payload.contents(of: file)
      // Safe: the string lives through the call.
      let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CocoaError(reading: file, errno) }
      self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
  }
#endif
