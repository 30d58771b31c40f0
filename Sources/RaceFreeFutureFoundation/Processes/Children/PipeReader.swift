// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))

  internal import Foundation

  /// Reads a pipe to its end, on the queue of a run.
  ///
  /// All calls are made on that queue. `@safe`: the buffer that the handler gets lives as long as the call.
  @safe final class PipeReader {
    /// The largest piece, and the size of a pipe on most systems.
    static let pieceSize = 65_536
    /// The number of pieces that are read before other work gets a turn.
    private static let piecesInARow = 16

    private let pipe: WatchedDescriptor
    private let onPiece: (UnsafeRawBufferPointer) -> Void

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - pipe: The reading end, which doesn't block. It is closed at the end of the pipe or by `finish()`.
    ///   - onPiece: Gets the bytes that were read, valid during the call.
    init(_ pipe: WatchedDescriptor, onPiece: @escaping (UnsafeRawBufferPointer) -> Void) {
      self.pipe = pipe
      unsafe self.onPiece = unsafe onPiece
    }

    /// Starts reading; continues until the end of the pipe.
    func start() {
      switch readSome() {
      case .over: pipe.close()
      case .nothingThere: pipe.whenReady(Int32(POLLIN)) { [self] in start() }
      case .more: pipe.soon { [self] in start() }
      }
    }

    /// Reads what is in the pipe, if nothing more is to be waited for, and closes it.
    ///
    /// At most a megabyte, which is more than a pipe holds: somebody may go on writing.
    func finish() {
      _ = readSome()
      pipe.close()
    }

    private enum Rest { case over, nothingThere, more }

    private func readSome() -> Rest {
      unsafe withUnsafeTemporaryAllocation(byteCount: Self.pieceSize, alignment: 16) { buffer in
        for _ in 0..<Self.piecesInARow where !pipe.isClosed {
          let count = unsafe read(pipe.number, buffer.baseAddress, buffer.count)
          if count > 0 {
            unsafe onPiece(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
          } else if count == 0 || errno != EAGAIN && errno != EINTR {
            return .over
          } else if errno == EAGAIN {
            return .nothingThere
          }
        }
        return .more
      }
    }
  }
#endif
