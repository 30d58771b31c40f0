// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The observer of all futures, and its events.
///
/// Code with an event asks `Hooks` first.
enum Observation {
  /// The application's closure.
  static let setting = Hooks.Setting<@Sendable (Future.Event) -> Void>(.observer)
  /// True if the running code was called by the observer: events that it causes aren't reported again.
  @TaskLocal private static var isTelling = false

  /// Reports an event of a future to the observer, if there still is one.
  ///
  /// User code runs in it: no lock may be held.
  @inline(never)
  static func tell(_ future: Future, _ kind: Future.Event.Kind) {
    guard let observer = setting.closure, !isTelling else { return }
    let event = Future.Event(kind, future)
    $isTelling.withValue(true) { CurrentFuture.runOutside { observer(event) } }
  }

  /// The place of a call that cancels, while there is an observer; nil for calls by the library on behalf of other code.
  ///
  /// It is the beginning of a `CancellationTrace`, so it costs nothing when it isn't recorded.
  static func site(_ fileID: StaticString, _ line: UInt) -> CreationSite? {
    Hooks.isOn(.observer) ? userSite(fileID, line) : nil
  }

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
