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
    private let source: any DispatchSourceWrite

    /// Starts to write.
    ///
    /// - Parameters:
    ///   - data: What is written.
    ///   - descriptor: The writing end, which doesn't block. It is closed when all is written, nobody reads any more,
    ///     or by `close()`.
    ///   - queue: The serial queue on which all is done.
    ///   - onClosed: Runs once, when the descriptor is closed.
    init(_ data: Data, to descriptor: Int32, on queue: DispatchQueue, onClosed: @escaping () -> Void) {
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
      self.source = source
      var rest = data[...]
      source.setEventHandler {
        guard !source.isCancelled else { return }
        if !rest.isEmpty {
          let count = unsafe rest.prefix(1 << 20).withUnsafeBytes { unsafe writeWithoutSignal(descriptor, $0) }
          if count < 0 {
            if errno != EAGAIN && errno != EINTR { source.cancel() }
            return
          }
          rest = rest.dropFirst(count)
        }
        if rest.isEmpty { source.cancel() }
      }
      source.setCancelHandler {
        closeDescriptor(descriptor)
        onClosed()
      }
      source.activate()
    }

    /// Stops writing and closes the descriptor; `onClosed` is called soon after.
    func close() { source.cancel() }
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
