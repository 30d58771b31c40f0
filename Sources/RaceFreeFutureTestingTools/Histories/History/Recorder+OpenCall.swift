// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

extension Recorder {
  /// A call that was recorded when it began.
  ///
  /// One that is never ended stays in the history as a call that never returned.
  public struct OpenCall: Sendable {
    let lane: Lane
    let index: Int

    /// Records that the call has ended, with its answer.
    ///
    /// Callable from any thread, once: a second end stops the program.
    public func end(_ answer: Answer) {
      let ended = (Scheduling.current as? any MomentCounter)?.callEnds() ?? HistoryClock.end()
      let isFirst = lane.calls.withLock { calls in
        let call = calls[index]
        guard call.ended == nil else { return false }
        calls[index] = History.Call(
          thread: call.thread,
          call.operation,
          answer: answer,
          begun: call.begun,
          ended: ended,
          keepsOrder: call.keepsOrder
        )
        return true
      }
      precondition(isFirst, "a recorded call ended twice")
    }
  }
}

extension Recorder.OpenCall where Answer == Void {
  /// Records that the call has ended.
  ///
  /// Callable from any thread, once: a second end stops the program.
  public func end() { end(()) }
}
