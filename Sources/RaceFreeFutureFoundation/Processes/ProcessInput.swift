// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import Foundation

  /// The source of a child process' standard input.
  public enum ProcessInput: Sendable {
    /// The `standardInput` of the process: a handle or a pipe that was set, otherwise the input of this program.
    case unchanged
    /// An empty input: the null device.
    case null
    /// The given bytes, then the end.
    ///
    /// They are written as the child reads them, on a queue of the run. A child that doesn't read all of them ends as
    /// any other; the rest is dropped.
    case data(Data)
    /// A file: from its beginning to its end.
    ///
    /// The child reads it itself. It is opened just before the launch; if that fails, or it isn't a file (a symbolic
    /// link stands for what it points to), the future fails with a `CocoaError`, and nothing is started.
    case file(URL)
    /// The bytes that a task writes, then the end.
    ///
    /// The closure runs in a task of its own from the launch on, and the input ends when it returns. Each `write`
    /// returns when the child's pipe has taken the whole piece: a slow child slows the writer, and memory is bounded.
    /// If the closure throws, the future fails with that error, or is cancelled if that is `CancellationError`, and the
    /// child is stopped.
    ///
    /// When the input is no longer read, because the child has closed it or has exited, or the run is being stopped,
    /// the task is cancelled, `write` throws `CancellationError`, and errors that the closure throws from then on are
    /// ignored: the child ends as any other. That a child has closed its input is noticed at the next `write`. The
    /// outcome doesn't wait for a closure that continues anyway; `drain()` and `handlersFinished` do, since until it has
    /// returned it is an activity of the future.
    case written(by: @Sendable (_ write: @escaping @Sendable (Data) async throws -> Void) async throws -> Void)

    /// The pieces of a sequence, then the end.
    ///
    /// The next piece is requested when the child's pipe has taken the one before. For everything else, such as errors
    /// of the sequence, see ``written(by:)``.
    ///
    /// - Parameter pieces: Read by one task, from the launch on; not at all if nothing is started.
    /// - Returns: The input.
    public static func sequence<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> ProcessInput
    where Pieces.Element == Data {
      .written { write in
        for try await piece in pieces { try await write(piece) }
      }
    }
  }
#endif
