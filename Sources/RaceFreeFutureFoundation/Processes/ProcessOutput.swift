// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import Foundation

  /// The destination of a child process' standard output or standard error.
  public enum ProcessOutput: Sendable {
    /// Collects the output in memory for the ``ProcessResult``, up to a number of bytes.
    ///
    /// With the first byte beyond the limit the future fails with ``ProcessRunError/outputTooLong(_:limit:)``, and the
    /// child is stopped as if the future had been cancelled. The result of a child that is stopped has the bytes up to
    /// the limit, also those that it wrote after the first signal; the rest is read and dropped.
    case collected(limit: Int)
    /// Passes the output to a handler, piece by piece, as it comes.
    ///
    /// The handler runs on the future's private queue, in its turn: pieces of one stream come in order, never two
    /// handlers of a run at once, and never after the future has been completed or cancelled by any code. A piece has 1
    /// to 65,536 bytes, and ends anywhere, also within a line or a character. The next piece isn't read before the
    /// handler has returned: a slow handler slows the child, and memory is bounded. A cancellation is queued behind a
    /// handler that runs.
    case streamed(@Sendable (Data) -> Void)
    /// Passes the output to a handler line by line, as it comes.
    ///
    /// A line ends with LF or CR LF, which isn't part of it; a CR alone is. The text after the last end is a line, too,
    /// unless it is empty, and is delivered at the end of the output. Bytes that aren't UTF-8 become U+FFFD, and change
    /// nothing else.
    ///
    /// With the first byte beyond the limit of a line, in bytes and without its end, the future fails with
    /// ``ProcessRunError/lineTooLong(_:limit:)``, after the lines before it were delivered, and the child is stopped as
    /// if the future had been cancelled. The handler runs as that of ``streamed(_:)`` does; each line is a turn of its
    /// own, so a cancellation waits for the handler of one line at most.
    case lines(limit: Int = 1 << 20, @Sendable (String) -> Void)
    /// Passes the output to a handler as text, piece by piece, as it comes.
    ///
    /// Together the pieces are the text of the whole output. Bytes that aren't UTF-8 become U+FFFD. A piece is never
    /// empty, and ends anywhere between two Unicode scalars: perhaps within a line, or before an accent that belongs to
    /// the letter. The handler runs as that of ``streamed(_:)`` does.
    case text(@Sendable (String) -> Void)
    /// Leaves `standardOutput` or `standardError` of the process unchanged: a handle or a pipe that was set, otherwise
    /// the output of this program.
    ///
    /// A pipe that was set is read by the code that set it; the run doesn't wait until it is drained.
    case unchanged
    /// Sends the output to the null device.
    case discarded

    /// Collects the output in memory for the ``ProcessResult``, up to 16 MiB.
    ///
    /// More is a failure: see ``collected(limit:)``.
    public static var collected: ProcessOutput { .collected(limit: 16 << 20) }
  }
#endif
