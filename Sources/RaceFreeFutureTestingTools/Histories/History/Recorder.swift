// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Records the calls that several threads, or tasks, make to an object.
///
/// ```swift
/// let recorder = Recorder<StackOperation, Int?>(threads: 2)
/// // on the first thread
/// recorder.call(.pop, on: 0) { stack.pop() }
/// // on the second
/// recorder.call(.push(1), on: 1) { stack.push(1); return nil }
/// ```
///
/// Each thread has a number, and makes its calls one after the other; two threads never share a number. Recording
/// doesn't synchronize the threads: they share only the recorder's constants.
///
/// In an exploration, the times are steps: a call begins with the first step that its thread takes in it.
///
/// For many small histories of random programs
/// ``linearizabilityStress(_:histories:threads:calls:seed:patience:requires:make:model:operations:finally:function:fileID:filePath:line:column:)``
/// does all of this.
public final class Recorder<Operation: Sendable, Answer: Sendable>: Sendable {
  private let lanes: [Lane]

  /// Creates a recorder for a number of threads, numbered from 0.
  public init(threads: Int) {
    precondition(threads > 0, "a recorder needs a thread to record")
    lanes = (0..<threads).map { _ in Lane() }
  }

  /// The calls recorded so far.
  ///
  /// Includes calls that have not returned. Callable at any time, from any thread. Read it when all threads are done:
  /// calls that are recorded meanwhile may be in it or not.
  public var history: History<Operation, Answer> {
    History(
      lanes.flatMap { lane in
        let moments = lane.moments.withLock(\.self)
        return lane.calls.withLock { $0 }.enumerated().map { index, call in
          guard let moment = moments[index] else { return call }
          return call.begun(at: moment.time ?? .max / 2)
        }
      }
    )
  }

  /// Makes a call and records it with its answer.
  ///
  /// The body runs at once, on the calling thread. Its error is rethrown; such a call counts as if it never
  /// returned, because its effect is unknown.
  ///
  /// - Parameters:
  ///   - operation: The operation that is called.
  ///   - thread: The number of the calling thread.
  ///   - body: The call, and nothing else: additional code makes the call seem longer.
  /// - Returns: The answer.
  /// - Throws: The error of the body.
  @discardableResult
  public func call<Failure: Error>(
    _ operation: Operation,
    on thread: Int,
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let call = begin(operation, on: thread)
    let answer = try body()
    call.end(answer)
    return answer
  }

  /// Makes an asynchronous call and records it with its answer.
  ///
  /// The body runs in the caller's isolation. Its error is rethrown, as by ``call(_:on:_:)``.
  ///
  /// - Parameters:
  ///   - operation: The operation that is called.
  ///   - thread: The number of the calling task.
  ///   - body: The call, and nothing else.
  /// - Returns: The answer.
  /// - Throws: The error of the body.
  @discardableResult
  public func callTask<Failure: Error>(
    _ operation: Operation,
    on thread: Int,
    _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let call = begin(operation, on: thread)
    let answer = try await body()
    call.end(answer)
    return answer
  }

  /// Records the beginning of a call whose end is recorded elsewhere: for calls with a callback.
  ///
  /// - Parameters:
  ///   - operation: The operation that is called.
  ///   - thread: The number of the calling thread.
  ///   - keepsOrder: True if it takes effect after the earlier calls of this thread that keep order, even if those have
  ///     not ended. See ``History/Call/keepsOrder``.
  /// - Returns: The call, to be ended.
  public func begin(_ operation: Operation, on thread: Int, keepsOrder: Bool = false) -> OpenCall {
    precondition(lanes.indices.contains(thread), "thread \(thread) of a recorder that has \(lanes.count)")
    let lane = lanes[thread]
    // In an explored order the clock stands still.
    let moment = (Scheduling.current as? any MomentCounter)?.callBegins()
    let index = lane.calls.withLock { calls in
      let last = calls.last.map { max($0.begun, $0.ended ?? 0) } ?? 0
      let begun = moment == nil ? HistoryClock.begin(after: last) : 0
      calls.append(History.Call(thread: thread, operation, begun: begun, keepsOrder: keepsOrder))
      return calls.count - 1
    }
    if let moment { lane.moments.withLock { $0[index] = moment } }
    return OpenCall(lane: lane, index: index)
  }

  final class Lane: Sendable {
    let calls = Locked<[History<Operation, Answer>.Call]>([])
    /// The beginnings of calls in an explored order.
    let moments = Locked<[Int: CallMoment]>([:])
  }
}
