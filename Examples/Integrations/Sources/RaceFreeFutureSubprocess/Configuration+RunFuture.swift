// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe to copy: with it a child of swift-subprocess is stopped by a future.

internal import Foundation
public import RaceFreeFuture
public import Subprocess

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Darwin
#endif

/// How a child ended, and what it wrote to outputs that were collected.
public struct ChildResult: Hashable, Sendable {
  /// The status that the child exited with, or the signal that ended it.
  public let status: TerminationStatus
  /// The standard output, if it was collected.
  public let output: [UInt8]
  /// The standard error, if it was collected.
  public let error: [UInt8]

  /// Creates a result, for tests of code that takes one.
  ///
  /// - Parameters:
  ///   - status: The status of the child.
  ///   - output: The collected standard output.
  ///   - error: The collected standard error.
  public init(status: TerminationStatus, output: [UInt8] = [], error: [UInt8] = []) {
    self.status = status
    self.output = output
    self.error = error
  }

  /// The standard output as text; what isn't UTF-8 becomes U+FFFD.
  public var outputText: String { String(decoding: output, as: UTF8.self) }

  /// Throws unless the child exited by itself with status 0.
  ///
  /// - Returns: This result.
  /// - Throws: ``ChildExitError``.
  @discardableResult
  public func checkSuccess() throws(ChildExitError) -> ChildResult {
    guard status.isSuccess else { throw ChildExitError(result: self) }
    return self
  }
}

/// An error that indicates that a child didn't exit with status 0.
public struct ChildExitError: Error, CustomStringConvertible {
  /// How the child ended.
  public let result: ChildResult

  /// One sentence, with the last line of the standard error.
  public var description: String {
    let line = result.error.split(separator: UInt8(ascii: "\n")).last.map { ": " + String(decoding: $0, as: UTF8.self) }
    return "the child ended with \(result.status)\(line ?? "")"
  }
}

/// The destination of an output of a child.
///
/// A handler is called for one piece after the other, never after the future has been decided, and the next piece isn't
/// read before it has returned: a slow handler slows the child. If it throws, the future fails, and the child is stopped.
public enum ChildOutput: Sendable {
  /// Keeps the output in memory; more than so many bytes are a failure.
  case collected(limit: Int)
  /// Passes the output to a handler as it comes; a piece ends anywhere.
  case pieces(@Sendable ([UInt8]) async throws -> Void)
  /// Passes the output to a handler line by line, without LF or CR LF; a line of more than so many bytes is a failure.
  case lines(limit: Int = 1 << 20, @Sendable (String) async throws -> Void)
  /// Drops the output.
  case discarded
}

/// An error that indicates that a child wrote more than is collected, or a line that is too long.
public struct ChildOutputError: Error, Hashable {
  /// The number of bytes that it may write.
  public let limit: Int
}

/// Writes the input of a child, which ends when this returns.
///
/// Each `write` returns when the child's pipe has taken the bytes: a slow child slows the writer. Write one piece at a
/// time. If the closure throws, the future fails, or is cancelled by `CancellationError`, and the child is stopped. When
/// the child has exited or is being stopped, its task is cancelled, and the run waits for it.
public typealias ChildInput =
  @Sendable (_ write: @escaping @Sendable ([UInt8]) async throws -> Void) async throws -> Void

/// An error that a writer gets when the child has closed its input or has exited; the child ends as any other.
public struct ChildInputClosedError: Error {}

extension Configuration {
  /// Runs the program in a process group of its own; deciding the future by a cancellation or otherwise stops the group.
  ///
  /// The future completes when the child has exited and its output has been handled; a status other than 0 is a value,
  /// too. If it is decided earlier, the group gets the signals of the steps, and what then remains of it the signal KILL
  /// after `remaining`. Its output is still read, and dropped. Until the group has ended the run is an activity of the
  /// future, for which `drain()` and scopes wait, and which a `DrainError` names by the child's number.
  ///
  /// The first call makes the program ignore the signal PIPE, unless it handles it; children don't inherit that.
  ///
  /// - Parameters:
  ///   - input: Writes the standard input; nil for none.
  ///   - output: The destination of the standard output.
  ///   - error: The destination of the standard error.
  ///   - steps: The steps that stop the group, to which the signals have to be sent. KILL follows the last one.
  ///   - remaining: The time that processes of the group have to end after the child did.
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Called once with the result if that isn't the outcome of the future.
  /// - Returns: The future of the result; it fails with the error of `input`, a handler, or the launch.
  public func runFuture(
    input: ChildInput? = nil,
    output: ChildOutput = .collected(limit: 16 << 20),
    error: ChildOutput = .collected(limit: 16 << 20),
    stopping steps: [TeardownStep] = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(5))
    ],
    remaining: Duration = .seconds(1),
    label: String? = nil,
    onUndelivered: (@Sendable (ChildResult) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<ChildResult> {
    _ = brokenPipesAreErrors
    let future = ValueFuture<ChildResult>(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line)
    let launch = future.beginActivity("launch of \(executable)", fileID: fileID, line: line)
    var configuration = self
    // The number of the group is that of the child.
    configuration.platformOptions.processGroupID = 0
    Task { [configuration] in
      defer { launch.end() }
      guard future.isPending else { return }
      do {
        let run = try await Subprocess.run(configuration, input: .inputWriter, output: .sequence, error: .sequence) {
          let activity = future.beginActivity("process \($0.processIdentifier)", fileID: fileID, line: line)
          launch.end()
          return (activity, await $0.outputs(of: future, input, output, error, steps, remaining))
        }
        let (activity, (outputBytes, errorBytes)) = run.closureResult
        future.complete(with: ChildResult(status: run.terminationStatus, output: outputBytes, error: errorBytes))
        activity.end()
      } catch {
        future.complete(throwing: error)
      }
    }
    return future
  }
}

extension Execution<CustomWriteInput, SequenceOutput, SequenceOutput> {
  /// Does all that there is to do until the child has exited and, if it was stopped, its group has ended.
  ///
  /// The child isn't reaped before this returns: until then its number is no other group's.
  fileprivate func outputs(
    of future: ValueFuture<ChildResult>,
    _ input: ChildInput?,
    _ output: ChildOutput,
    _ error: ChildOutput,
    _ steps: [TeardownStep],
    _ remaining: Duration
  ) async -> (output: [UInt8], error: [UInt8]) {
    let (decisions, decision) = AsyncStream.makeStream(of: Void.self)
    let registration = future.onCleanUp(on: .inline) { decision.yield() }
    defer { registration.unregister() }

    async let outputBytes = read(standardOutput, output, future)
    async let errorBytes = read(standardError, error, future)
    async let stop: Void = {
      for await _ in decisions {
        await teardown(using: steps)
        await endGroup(after: remaining)
        break
      }
    }()
    // Cancelled by the end of this function, at the latest.
    async let _ = write(input, future)
    // Signal 0 isn't sent: this only waits.
    await teardown(using: [.send(signal: Signal(rawValue: 0), allowedDurationToNextStep: .seconds(1 << 40))])
    decision.finish()
    await stop
    return await (outputBytes, errorBytes)
  }

  private func write(
    _ input: ChildInput?,
    _ future: ValueFuture<ChildResult>
  ) async {
    let writer = standardInputWriter
    do {
      if let input {
        try await future.run {
          try await input { bytes in
            do {
              guard try await writer.write(bytes) == bytes.count else { throw ChildInputClosedError() }
            } catch let error as SubprocessError where error.code == .failedToWriteToSubprocess {
              throw ChildInputClosedError()
            }
          }
        }
      }
    } catch is ChildInputClosedError {
    } catch {
      if !Task.isCancelled { future.end(with: error) }
    }
    try? await writer.finish()
  }

  /// Ends what remains of the group when the child has exited.
  private func endGroup(after interval: Duration) async {
    let end = ContinuousClock.now + interval
    while groupRuns {
      if ContinuousClock.now >= end { try? send(signal: .kill, toProcessGroup: true) }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// True if a process of the child's group runs: one that has exited but wasn't reaped doesn't.
  private var groupRuns: Bool {
    let group = processIdentifier.value
    #if os(Linux) || os(Android)
      // One that can't be signalled, such as a program of another user, isn't waited for.
      return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).contains { name in
        guard let number = pid_t(name), getpgid(number) == group, kill(number, 0) == 0 else { return false }
        let state = FileManager.default.contents(atPath: "/proc/\(name)/stat").map {
          String(decoding: $0, as: UTF8.self)
        }
        return state?.split(separator: ")").last?.hasPrefix(" Z") == false
      }
    #else
      // Not true of a group of zombies alone.
      return kill(-group, 0) == 0
    #endif
  }
}

/// Handles an output to its end, also when the future has been decided: the child shall not wait for a reader.
private func read(
  _ sequence: SubprocessOutputSequence,
  _ output: ChildOutput,
  _ future: ValueFuture<ChildResult>
) async -> [UInt8] {
  // What is collected, or the beginning of a line.
  var bytes: [UInt8] = []
  do {
    for try await buffer in sequence where future.isPending {
      let piece = unsafe buffer.withUnsafeBytes { unsafe Array($0) }
      do {
        switch output {
        case .discarded: break
        case .pieces(let handler): try await future.run { try await handler(piece) }
        case .collected(let limit):
          bytes += piece
          if bytes.count > limit { throw ChildOutputError(limit: limit) }
        case .lines(let limit, let handler):
          bytes += piece
          var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          bytes = lines.popLast().map(Array.init) ?? []
          for line in lines { try await deliver(line, limit, handler, future) }
          // CR may be the first half of an end.
          if bytes.count > limit + 1 { throw ChildOutputError(limit: limit) }
        }
      } catch {
        future.end(with: error)
      }
    }
    if case .lines(let limit, let handler) = output, !bytes.isEmpty, future.isPending {
      try await deliver(bytes[...], limit, handler, future)
    }
  } catch {
    future.end(with: error)
  }
  if case .collected = output { return bytes }
  return []
}

private func deliver(
  _ line: ArraySlice<UInt8>,
  _ limit: Int,
  _ handler: @escaping @Sendable (String) async throws -> Void,
  _ future: ValueFuture<ChildResult>
) async throws {
  let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  if line.count > limit { throw ChildOutputError(limit: limit) }
  let text = String(decoding: line, as: UTF8.self)
  try await future.run { try await handler(text) }
}

extension ValueFuture {
  /// Ends the future with an error that a closure threw.
  fileprivate func end(with error: any Error) {
    if error is CancellationError { cancel() } else { _ = tryComplete(throwing: error) }
  }
}

/// Lets a write to a child that doesn't read fail, which would otherwise end this program; children don't inherit it.
private let brokenPipesAreErrors: Void = {
  // Not nil: the program has its own way.
  if let handler = signal(SIGPIPE, SIG_IGN) { _ = signal(SIGPIPE, handler) }
}()
