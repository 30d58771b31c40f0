// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  /// Says why a run didn't bring the result of its child.
  public enum ProcessRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too few descriptors are left to launch a process safely; nothing was started.
    ///
    /// A launch may need up to 24. Foundation doesn't notice when it gets none, and would close the standard input of
    /// this program instead. Also thrown, on Linux, if the limit was lowered below a descriptor that is still open:
    /// then no launch succeeds. Close some, or raise the limit (`RLIMIT_NOFILE`, `ulimit -n`).
    case tooFewDescriptors

    /// One sentence, for people.
    public var description: String {
      switch self {
      case .tooFewDescriptors:
        "too few descriptors are left to launch a process: close some, or raise the limit"
      }
    }
  }
#endif
