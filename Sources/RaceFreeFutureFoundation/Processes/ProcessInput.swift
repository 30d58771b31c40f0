// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import Foundation

  /// What a child process reads from its standard input.
  public enum ProcessInput: Sendable {
    /// What `standardInput` of the process says: a handle or a pipe that was put there, else the input of this program.
    case unchanged
    /// Nothing: the null device.
    case null
    /// These bytes, then the end.
    ///
    /// They are written as the child reads them, on a queue of the run. A child that doesn't read all of them ends as
    /// any other; the rest is dropped.
    case data(Data)
  }
#endif
