// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  /// An error of a run that didn't bring the result of its child.
  public enum ProcessRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too few descriptors are left to launch a process safely; nothing was started.
    ///
    /// A launch may need up to 24. Foundation doesn't notice when it gets no descriptor, and would close the standard
    /// input of this program instead. Also thrown, on Linux, if the limit was lowered below a descriptor that is still
    /// open: then no launch succeeds. Close some, or raise the limit (`RLIMIT_NOFILE`, `ulimit -n`).
    case tooFewDescriptors
    /// This program ignores the signal CHLD, so the system would discard the child's exit status; nothing was started.
    ///
    /// It is ignored with `SIG_IGN` or `SA_NOCLDWAIT`, perhaps since the program was started. Set it to `SIG_DFL`.
    case childSignalIgnored
    /// The child has exited with an unknown status: this program began to ignore the signal CHLD while it ran.
    case exitStatusLost
    /// The child exceeded the limit of a collected output; it is stopped.
    ///
    /// The limit is in bytes: see ``ProcessOutput/collected(limit:)``.
    case outputTooLong(Stream, limit: Int)

    /// The child wrote a line that is too long to one of its outputs; it is stopped.
    ///
    /// The limit is in bytes: see ``ProcessOutput/lines(limit:_:)``.
    case lineTooLong(Stream, limit: Int)

    /// One of the two outputs of a process.
    public enum Stream: Hashable, Sendable {
      /// The standard output.
      case output
      /// The standard error.
      case error
    }

    /// One sentence, for people.
    public var description: String {
      switch self {
      case .tooFewDescriptors:
        "too few descriptors are left to launch a process: close some, or raise the limit"
      case .childSignalIgnored:
        "no process is launched while this program ignores the signal CHLD: nobody could know how it ended"
      case .exitStatusLost:
        "the process has exited, but this program ignores the signal CHLD: nobody knows how it ended"
      case .outputTooLong(let stream, let limit):
        "the process wrote more than \(limit) bytes to its standard \(stream), the limit of what is collected"
      case .lineTooLong(let stream, let limit):
        "the process wrote a line of more than \(limit) bytes to its standard \(stream)"
      }
    }
  }
#endif
