// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The observer of all futures, and what it is told.
///
/// Whoever comes by a place of interest asks `isOn` first: one relaxed load, as long as nobody observes. The rest is
/// kept out of its way, in functions that aren't inlined.
enum Observation {
  struct Settings {
    var observer: (@Sendable (Future.Event) -> Void)?
    var slowHandlerThreshold = Duration.milliseconds(100)
  }

  /// Guards the settings.
  private static let settings = Locked(Settings())
  /// Whether there is an observer.
  ///
  /// Written under the lock of `settings`. Relaxed: it only says whether it is worth looking there, and the lock orders
  /// the rest. Another thread may see a change a little later, as if what it does now had been done before.
  private static let flag = Atomic(false)
  /// Whether the running code was called by the observer: what it does with futures isn't told to it again.
  @TaskLocal private static var isTelling = false

  static var isOn: Bool { flag.load(ordering: .relaxed) }

  static var current: Settings { settings.withLock { $0 } }

  /// Changes the settings; what they held before is released outside of the lock.
  static func change(_ change: (inout Settings) -> Void) {
    let old = settings.withLock { settings in
      let old = settings
      change(&settings)
      flag.store(settings.observer != nil, ordering: .relaxed)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Tells the observer, if there still is one, what has become of a future.
  ///
  /// User code runs in it: no lock may be held.
  @inline(never)
  static func tell(_ future: Future, _ kind: Future.Event.Kind, _ trace: CancellationTrace? = nil) {
    guard let observer = current.observer, !isTelling else { return }
    let event = Future.Event(kind, future, trace)
    $isTelling.withValue(true) { observer(event) }
  }

  /// Tells the observer how a future was decided.
  @inline(never)
  static func tellEnd(of future: Future, _ resolution: Resolution) {
    switch resolution {
    case .completed, .delivered: tell(future, .completed)
    case .failed(let error): tell(future, .failed(error))
    case .cancelled(let reason): tell(future, .cancelled(reason))
    case .cascaded(let cascade): tell(future, .cancelled(cascade.reason), cascade)
    }
  }

  /// Tells the observer of an error that a future didn't take, because it had its outcome.
  @inline(never)
  static func tellLoss(of resolution: Resolution, at future: Future, _ decision: borrowing FutureMachine.Decision) {
    guard case .failed(let error) = resolution else { return }
    switch decision {
    case .ignore: tell(future, .failedTooLate(error))
    default: break
    }
  }

  /// Runs a handler or block of a future, and tells the observer if it took too long.
  @inline(never)
  static func timing<Result, Failure: Error>(
    _ future: Future,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = ContinuousClock.now
    defer {
      let duration = ContinuousClock.now - start
      if duration > current.slowHandlerThreshold { tell(future, .slowHandler(duration)) }
    }
    return try body()
  }
}
