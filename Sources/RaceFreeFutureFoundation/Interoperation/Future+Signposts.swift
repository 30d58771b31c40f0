// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(os)
  public import RaceFreeFuture
  public import os

  extension Future {
    /// An observer that shows all futures in Instruments: each as an interval from its creation to its outcome.
    ///
    /// ```swift
    /// Future.observer = Future.signpostObserver(OSSignposter(subsystem: "com.example.app", category: "futures"))
    /// ```
    ///
    /// Labels and creation sites are shown as they are, so they shouldn't be secret; reasons and errors are redacted
    /// unless a debugger or Instruments asks for them. It calls nothing but the signposter, on the thread on which the
    /// event occurs.
    ///
    /// - Parameter signposter: The signposter that emits the signposts; a disabled one costs little.
    /// - Returns: The observer to set as `Future.observer`; call it from an observer of your own to have both.
    public static func signpostObserver(_ signposter: OSSignposter) -> @Sendable (Event) -> Void {
      { event in
        guard signposter.isEnabled else { return }
        let id = OSSignpostID(UInt64(UInt(bitPattern: event.id)))
        let name = "\(event.origin)"
        switch event.kind {
        case .created:
          _ = signposter.beginInterval("Future", id: id, "\(name, privacy: .public)")
        case .completed, .failed, .cancelled, .abandoned:
          signposter.endInterval("Future", .beginState(id: id), "\(event.description)")
        case .failedTooLate(let error):
          signposter.emitEvent("Failed too late", id: id, "\(name, privacy: .public): \("\(error)")")
        }
      }
    }
  }
#endif
