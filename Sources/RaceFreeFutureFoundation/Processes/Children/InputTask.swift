// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation
  internal import RaceFreeFuture

  /// A task in which a user's closure writes the input of a child.
  ///
  /// `@unchecked Sendable`: everything that changes is used on the queue of the run only; the task switches to it for
  /// each piece, and at its end. Neither the closure nor a handler of its task's cancellation runs on that queue, and
  /// the task isn't resumed there.
  final class InputTask: @unchecked Sendable {
    typealias Body = @Sendable (_ write: @escaping @Sendable (Data) async throws -> Void) async throws -> Void

    private let writer: PipeWriter
    private let queue: DispatchQueue
    private var task: Task<Void, Never>?

    /// Starts the task.
    ///
    /// - Parameters:
    ///   - body: The user's closure.
    ///   - writer: Closed when the closure has returned. If it is closed before, the input is no longer read.
    ///   - queue: The queue of the run, on which this is called.
    ///   - activity: Ended when the closure has returned.
    ///   - onFailure: Called on the queue with the error that the closure throws while the input is still read.
    init(
      _ body: @escaping Body,
      to writer: PipeWriter,
      on queue: DispatchQueue,
      _ activity: Activity,
      onFailure: @escaping (any Error) -> Void
    ) {
      self.writer = writer
      self.queue = queue
      // Called on the queue, where it was made.
      nonisolated(unsafe) let onFailure = onFailure
      task = Task { [self] in
        do {
          try await body { [self] piece in try await write(piece) }
          queue.async { [self] in self.writer.close() }
        } catch {
          queue.async { [self] in
            if !self.writer.isClosed { unsafe onFailure(error) }
          }
        }
        activity.end()
      }
    }

    /// Ends the input and cancels the task, because the input is no longer read, or no longer to be read.
    func cancel() {
      writer.close()
      guard let task else { return }
      self.task = nil
      // On a queue where user code may run.
      DispatchQueue.global().async { task.cancel() }
    }

    private func write(_ piece: Data) async throws {
      let written = Future(label: "the input of a process")
      queue.async { [self] in
        writer.write(piece) { isWritten in
          DispatchQueue.global().async { if isWritten { written.complete() } else { written.cancel() } }
        }
      }
      try await written.value
    }
  }
#endif
