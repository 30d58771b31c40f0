// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFuture

// MARK: - Cancel on signals

extension CancellableWork {
  /// Cancels the work when the process gets one of some signals, such as that of Control-C.
  ///
  /// ```swift
  /// let download = session.dataFuture(from: url)
  /// download.cancel(on: [.interrupt, .terminate])
  /// print(try await download.value)
  /// ```
  ///
  /// Until then the signals have no other effect. The first one cancels, and from that moment, or from the end of the
  /// work, they have their former effect again: so the next Control-C ends the process, even if both come in quick
  /// succession. No signal is lost: a signal that comes before this call, or when the work has been resolved, has its
  /// former effect. If several pieces of work, or scopes that shut down, wait for a signal, it reaches all of them.
  ///
  /// The work is kept until it is resolved or the registration is removed. It is cancelled on a thread of a global
  /// queue, so inline handlers run there. Child processes inherit none of this, not even a forked child that runs
  /// no other program. With `CancelToken.never` it has no effect.
  ///
  /// - Parameters:
  ///   - signals: The signals. Those that can't be caught, such as ``ProcessSignal/kill``, are ignored.
  ///   - reason: The reason; see `cancel(throwing:)`.
  /// - Returns: A registration. Unregistering it gives the signals their former effect, if nobody else waits for them;
  ///   if that returns true, no signal that was caught by this call has cancelled the work, or will.
  @discardableResult
  public func cancel(
    on signals: [ProcessSignal],
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Registration {
    let listener = SignalListener(for: signals)
    // Its release ends the listener as well: when it is unregistered, and when it was too late to register it.
    let registration = onCleanUp(on: .inline) { listener.end() }
    listener.begin { [weak listener] in
      // At once: whoever releases the handler may do so a little later.
      listener?.end()
      // Of the outcome's handler, the caller's `unregister()` and a signal one has it, and the others find it gone.
      guard registration.unregister() else { return nil }
      return {
        cancel(throwing: reason, fileID: fileID, line: line)
        // Completed at the same moment, before that handler has started.
        return !isCompleted
      }
    }
    return registration
  }
}
