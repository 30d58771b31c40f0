// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
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

  /// Writes data into a pipe as fast as it is read, on the queue of a run.
  ///
  /// All calls are made on that queue.
  final class PipeWriter {
    private let pipe: WatchedDescriptor
    private var rest: Data.SubSequence

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - data: What is written.
    ///   - pipe: The writing end, which doesn't block. It is closed when all is written, nobody reads any more, or by
    ///     `close()`.
    init(_ data: Data, to pipe: WatchedDescriptor) {
      rest = data[...]
      self.pipe = pipe
    }

    /// Writes as much as the pipe takes, and goes on until all is written.
    func start() {
      while !rest.isEmpty, !pipe.isClosed {
        let count = unsafe rest.withUnsafeBytes { unsafe writeWithoutSignal(pipe.number, $0) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          return pipe.whenReady(Int32(POLLOUT)) { [self] in start() }
        } else if errno != EINTR {
          break
        }
      }
      close()
    }

    /// Stops writing and closes the pipe.
    func close() { pipe.close() }
  }

  /// `write`, without the signal PIPE, which would end this program, if nobody reads.
  private func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      // The descriptor has F_SETNOSIGPIPE.
      return unsafe write(descriptor, bytes.baseAddress, bytes.count)
    #else
      // The signal comes to the thread that writes: it is blocked there, and taken away if it came.
      var signals = sigset_t()
      var pending = sigset_t()
      var before = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGPIPE)
      unsafe sigpending(&pending)
      let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
      unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
      let count = unsafe write(descriptor, bytes.baseAddress, bytes.count)
      let error = errno
      if count < 0, error == EPIPE, !wasPending {
        var atOnce = timespec()
        while unsafe sigtimedwait(&signals, nil, &atOnce) < 0, errno == EINTR {}
      }
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      errno = error
      return count
    #endif
  }
#endif
