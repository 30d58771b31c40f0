// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// An error that indicates that a child process did not exit with status 0.
  public struct ProcessExitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit status and the output of the child.
    public let result: ProcessResult

    /// Creates an error.
    ///
    /// - Parameter result: The result of the process.
    public init(result: ProcessResult) {
      self.result = result
    }

    /// A description of the exit, with the last line of the standard error.
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
