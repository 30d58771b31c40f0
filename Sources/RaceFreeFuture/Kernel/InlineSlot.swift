// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The first handler of a future, if it runs inline and needs no argument: it is stored in the future itself, under its
/// lock, which decides between "run" and "removed" as a `Claim` does for a node (H1 to H3).
enum InlineSlot: ~Copyable {
  /// There never was one.
  case none
  /// With the outcome at which it runs; nil for both.
  case waiting(@Sendable () -> Void, Future.Outcome?)
  /// It has started.
  case running(ThreadIdentity)
  /// It has started, and a thread waits for its return.
  case awaited(ThreadIdentity)
  /// It has returned, was unregistered, or belonged to the other outcome.
  case over

  var isNone: Bool {
    switch self {
    case .none: true
    default: false
    }
  }

  var isWaiting: Bool {
    switch self {
    case .waiting: true
    default: false
    }
  }

  private var runner: ThreadIdentity? {
    switch self {
    case .running(let thread): thread
    case .awaited(let thread): thread
    default: nil
    }
  }

  /// Returns it at an outcome or before there is one, to be run by the given thread at once, or only to be released.
  mutating func take(at outcome: Future.Outcome?, on thread: ThreadIdentity? = nil) -> SlotHandler? {
    guard isWaiting else { return nil }
    switch exchange(&self, with: .over) {
    case .waiting(let handler, let trigger):
      let runs = outcome == nil || trigger == nil || trigger == outcome
      if runs, let thread { self = .running(thread) }
      return SlotHandler(handler: handler, runs: runs)
    default:
      return nil
    }
  }

  /// Notes that a thread waits for its return; false if it isn't running on another thread.
  mutating func awaitEnd(by thread: ThreadIdentity) -> Bool {
    guard let runner, runner != thread else { return false }
    self = .awaited(runner)
    return true
  }

  /// Notes its return, if it was running; true if a thread waits for that.
  mutating func end() -> Bool {
    guard runner != nil else { return false }
    return switch exchange(&self, with: .over) {
    case .awaited: true
    default: false
    }
  }
}

/// The handler without a node on its way to be run or released.
struct SlotHandler: ~Copyable {
  let handler: @Sendable () -> Void
  /// True if it belongs to the outcome, if there is one.
  let runs: Bool

  /// Runs it if it belongs to the outcome, and releases it.
  consuming func run() {
    if runs { CurrentFuture.runOutside(handler) }
  }
}
