// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// Says that a child process did not exit with status 0.
  public struct ProcessExitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How it ended, and what it wrote.
    public let result: ProcessResult

    /// Makes an error.
    ///
    /// - Parameter result: How the process ended.
    public init(result: ProcessResult) {
      self.result = result
    }

    /// How the process ended and the last line of its standard error, for people.
    public var description: String {
      let end =
        switch result.terminationReason {
        case .uncaughtSignal: "ended by signal \(result.terminationStatus)"
        default: "exited with status \(result.terminationStatus)"
        }
      let lines = result.standardError.suffix(1_000).split(separator: UInt8(ascii: "\n"))
      return "the process \(end)" + (lines.last.map { ": \(String(decoding: $0, as: UTF8.self))" } ?? "")
    }
  }
#endif
