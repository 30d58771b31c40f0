// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  /// An error that indicates that a process to be run had been started before.
  ///
  /// A `Process` runs once: make a new one for each run.
  public struct ProcessStartedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier of the process.
    public let processIdentifier: Int32

    init(processIdentifier: Int32) {
      self.processIdentifier = processIdentifier
    }

    /// One sentence, for people.
    public var description: String {
      "process \(processIdentifier) has been started before: make a new one for each run"
    }
  }
#endif
