// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The observer of all futures, and its events.
///
/// Code with an event checks `isOn` first: one relaxed load, as long as there is no observer. The rest is kept out of
/// line, in functions that aren't inlined.
enum Observation {
  /// The application's closure.
  private struct Settings {
    var observer: (@Sendable (Future.Event) -> Void)?
  }

  /// Guards the observer, which is called and released outside.
  private static let settings = Locked(Settings())
  /// True if there is an observer.
  ///
  /// Written under the lock of `settings`. Relaxed: it only tells whether to look there, and the lock orders the rest.
  /// Another thread may see a change a little later, as if its current actions came before the change.
  private static let flag = Atomic(false)
  /// True if the running code was called by the observer: events that it causes aren't reported again.
  @TaskLocal private static var isTelling = false

  static var isOn: Bool { flag.load(ordering: .relaxed) }

  static var observer: (@Sendable (Future.Event) -> Void)? {
    get { settings.withLock { $0.observer } }
    set {
      settings.release { settings in
        let old = settings
        settings.observer = newValue
        flag.store(newValue != nil, ordering: .relaxed)
        return old
      }
    }
  }

  /// Reports an event of a future to the observer, if there still is one.
  ///
  /// User code runs in it: no lock may be held.
  @inline(never)
  static func tell(_ future: Future, _ kind: Future.Event.Kind) {
    guard let observer, !isTelling else { return }
    let event = Future.Event(kind, future)
    $isTelling.withValue(true) { CurrentFuture.runOutside { observer(event) } }
  }

  /// The place of a call that cancels, while there is an observer; nil for calls by the library on behalf of other code.
  ///
  /// It is the beginning of a `CancellationTrace`, so it costs nothing when it isn't recorded.
  static func site(_ fileID: StaticString, _ line: UInt) -> CreationSite? { isOn ? userSite(fileID, line) : nil }

  @inline(never)
  private static func userSite(_ fileID: StaticString, _ line: UInt) -> CreationSite? {
    let site = CreationSite(fileID, line)
    let isOwn = ["RaceFreeFuture/", "RaceFreeFutureFoundation/"].contains { site.fileID.hasPrefix($0) }
    return isOwn ? nil : site
  }

  /// Reports the decision of a future to the observer.
  @inline(never)
  static func reportOutcome(of future: Future, _ resolution: Resolution) {
    switch resolution {
    case .completed, .delivered: tell(future, .completed)
    case .failed(let error): tell(future, .failed(error))
    case .cancelled, .cascaded: if let cancellation = resolution.cancellation { tell(future, .cancelled(cancellation)) }
    }
  }

  /// Reports an error that came after a future's outcome to the observer.
  @inline(never)
  static func reportLoss(of resolution: Resolution, at future: Future, _ effect: borrowing FutureMachine.Effect) {
    guard case .failed(let error) = resolution else { return }
    switch effect {
    case .none: tell(future, .failedTooLate(error))
    default: break
    }
  }
}
