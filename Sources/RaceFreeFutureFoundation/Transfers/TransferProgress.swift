// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// The progress of one transfer, as a sequence that delivers the newest numbers.
///
/// ```swift
/// let progress = TransferProgress()
/// let download = session.downloadFuture(from: url, to: file, reporting: progress)
/// for await step in progress { show(step.completed, of: step.total) }
/// let response = try await download.ownedValue
/// ```
///
/// The transfer never waits for a reader: of the numbers that come between two reads only the newest is kept. So a slow
/// reader misses only outdated numbers. The sequence ends with the transfer, completed or cancelled; the newest number
/// that hasn't been read is still delivered before the end, so the last one always is.
///
/// Made for one reader: each of several readers gets a part. A task that is cancelled while it reads gets the end at
/// once, and so do all other readers; the transfer continues. It belongs to one transfer: passing it to a second one
/// stops the program. Without a transfer it has no number and no end. Thread-safe.
public final class TransferProgress: AsyncSequence, Sendable {
  /// The progress of a transfer at one moment.
  public struct Step: Hashable, Sendable {
    /// The number of bytes that have arrived or, of an upload, have been sent.
    public let completed: Int64
    /// The total number of bytes; nil if it isn't known.
    public let total: Int64?

    /// Creates a step, for tests of code that takes one.
    ///
    /// - Parameters:
    ///   - completed: The number of bytes that have arrived.
    ///   - total: The total number of bytes; nil if it isn't known.
    public init(completed: Int64, total: Int64?) {
      self.completed = completed
      self.total = total
    }

    /// The completed fraction, from 0 to 1; nil if the total isn't known or is 0.
    public var fraction: Double? {
      guard let total, total > 0 else { return nil }
      return Swift.min(Double(completed) / Double(total), 1)
    }
  }

  private let steps: AsyncStream<Step>
  private let continuation: AsyncStream<Step>.Continuation
  /// Guards whether a transfer has it.
  private let isTaken = Locked(false)

  /// Creates a sequence for one transfer.
  public init() {
    (steps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Begins to read.
  ///
  /// - Returns: An iterator, which ends with the transfer.
  public func makeAsyncIterator() -> AsyncStream<Step>.Iterator { steps.makeAsyncIterator() }

  /// Ends with the work.
  func end(with work: some CancellableWork) {
    let isFirst = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    precondition(isFirst, "A TransferProgress belongs to one transfer: make a new one for each.")
    // On another queue, since readers aren't resumed by a thread that has the turn of a future.
    work.onCleanUp(on: DispatchQueue.global()) { [continuation] in continuation.finish() }
  }

  func tell(_ completed: Int64, of total: Int64?) {
    continuation.yield(Step(completed: completed, total: total))
  }
}
