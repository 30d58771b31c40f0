// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  /// Says that a process was to be run which had been started before.
  ///
  /// A `Process` runs once: make a new one for each run.
  public struct ProcessStartedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier that the process has.
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
