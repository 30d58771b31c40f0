// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation

  /// Writes pieces of data into a pipe, one after the other, as fast as they are read, on the queue of a run.
  ///
  /// All calls are made on that queue.
  final class PipeWriter {
    private struct Piece {
      var rest: Data.SubSequence
      /// Called once, with true if all of it has been written.
      var onEnd: (Bool) -> Void
    }

    private let pipe: WatchedDescriptor
    private var pieces: [Piece] = []
    /// True if the pipe is full, and is waited for.
    private var isWaiting = false

    /// Makes a writer.
    ///
    /// - Parameter pipe: The writing end, which doesn't block. It is closed when the other end is closed, or by
    ///   `close()`.
    init(to pipe: WatchedDescriptor) {
      self.pipe = pipe
    }

    /// True if nothing can be written any more.
    var isClosed: Bool { pipe.isClosed }

    /// Writes a piece after the queued ones.
    func write(_ data: Data, onEnd: @escaping (Bool) -> Void) {
      guard !isClosed else { return onEnd(false) }
      pieces.append(Piece(rest: data[...], onEnd: onEnd))
      if !isWaiting { writeAll() }
    }

    private func writeAll() {
      isWaiting = false
      while let piece = pieces.first, !isClosed {
        if piece.rest.isEmpty {
          pieces.removeFirst()
          piece.onEnd(true)
          continue
        }
        let count = unsafe piece.rest.withUnsafeBytes { unsafe writeWithoutSignal(pipe.number, $0) }
        if count >= 0 {
          pieces[0].rest = piece.rest.dropFirst(count)
        } else if errno == EAGAIN {
          isWaiting = true
          return pipe.whenReady(Int32(POLLOUT)) { [self] in writeAll() }
        } else if errno != EINTR {
          close()
        }
      }
    }

    /// Stops writing and closes the pipe.
    func close() {
      pipe.close()
      let unwritten = pieces
      pieces = []
      for piece in unwritten { piece.onEnd(false) }
    }
  }

  /// Calls `write` without the signal PIPE, which would end this program when the other end is closed.
  private func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      // The descriptor has F_SETNOSIGPIPE.
      return unsafe write(descriptor, bytes.baseAddress, bytes.count)
    #else
      // The signal is sent to the thread that writes: it is blocked there, and consumed if it was sent.
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
