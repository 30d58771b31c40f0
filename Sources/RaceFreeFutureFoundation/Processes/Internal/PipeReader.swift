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

  /// Reads a pipe to its end, on the queue of a run.
  ///
  /// All calls are made on that queue.
  final class PipeReader {
    /// The largest piece, and the size of a pipe on most systems.
    static let pieceSize = 65_536

    private let source: any DispatchSourceRead

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - descriptor: The reading end, which doesn't block. It is closed at the end of the pipe or by `close()`.
    ///   - queue: The serial queue on which all is done.
    ///   - onPiece: Gets what was read, for the time of the call.
    ///   - onClosed: Runs once, when the descriptor is closed.
    init(
      _ descriptor: Int32,
      on queue: DispatchQueue,
      onPiece: @escaping (UnsafeRawBufferPointer) -> Void,
      onClosed: @escaping () -> Void
    ) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      // Released in the cancel handler, which comes after the last event handler.
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
      self.source = source
      source.setEventHandler {
        guard !source.isCancelled else { return }
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
          unsafe onPiece(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          source.cancel()
        }
      }
      source.setCancelHandler {
        closeDescriptor(descriptor)
        unsafe buffer.deallocate()
        onClosed()
      }
      source.activate()
    }

    /// Stops reading and closes the descriptor; `onClosed` is called soon after.
    func close() { source.cancel() }
  }
#endif
