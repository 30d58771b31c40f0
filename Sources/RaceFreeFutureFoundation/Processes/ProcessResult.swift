// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import Foundation

  /// The exit status and the output of a child process.
  public struct ProcessResult: Hashable, Sendable {
    /// The status that the child exited with, or the number of the signal that ended it.
    public let terminationStatus: Int32
    /// The way in which the child ended: by exiting, or by a signal.
    public let terminationReason: Process.TerminationReason
    /// The bytes that it wrote to its standard output, if that was ``ProcessOutput/collected``; otherwise empty.
    ///
    /// Of a child that was stopped: those up to the limit.
    public let standardOutput: Data
    /// The bytes that it wrote to its standard error, if that was ``ProcessOutput/collected``; otherwise empty.
    ///
    /// Of a child that was stopped: those up to the limit.
    public let standardError: Data

    /// Creates a result, for tests of code that takes one.
    ///
    /// - Parameters:
    ///   - terminationStatus: The exit status or the number of the signal.
    ///   - terminationReason: The kind of the status.
    ///   - standardOutput: The collected standard output.
    ///   - standardError: The collected standard error.
    public init(
      terminationStatus: Int32,
      terminationReason: Process.TerminationReason = .exit,
      standardOutput: Data = Data(),
      standardError: Data = Data()
    ) {
      self.terminationStatus = terminationStatus
      self.terminationReason = terminationReason
      self.standardOutput = standardOutput
      self.standardError = standardError
    }

    /// The collected standard output as text; bytes that aren't UTF-8 become U+FFFD.
    public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// The collected standard error as text; bytes that aren't UTF-8 become U+FFFD.
    public var errorText: String { String(decoding: standardError, as: UTF8.self) }
    /// The lines of the collected standard output, as ``ProcessOutput/lines(limit:_:)`` would deliver them.
    public var outputLines: [String] { lines(of: standardOutput) }
    /// The lines of the collected standard error, as ``ProcessOutput/lines(limit:_:)`` would deliver them.
    public var errorLines: [String] { lines(of: standardError) }

    /// True if the child exited by itself with status 0.
    public var isSuccess: Bool { terminationReason == .exit && terminationStatus == 0 }

    /// Throws unless the child exited by itself with status 0.
    ///
    /// To make it part of a future: `process.runFuture().map { try $0.checkSuccess() }`.
    ///
    /// - Returns: This result.
    /// - Throws: ``ProcessExitError`` with this result.
    @discardableResult
    public func checkSuccess() throws(ProcessExitError) -> ProcessResult {
      guard isSuccess else { throw ProcessExitError(result: self) }
      return self
    }
  }

  private func lines(of output: Data) -> [String] {
    var text = OutputText(.lines(limit: .max))
    let lines = text.append(output).texts
    return lines + (text.finish().map { [$0] } ?? [])
  }
#endif
