// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The first handler of a future, if it runs inline and needs no argument: it is stored in the future itself, under its
/// lock, which decides between "run" and "removed" as a `Claim` does for a node (H1 to H3).
enum InlineSlot: ~Copyable {
  /// There never was one.
  case none
  case waiting(@Sendable () -> Void)
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

  /// Returns it, to be run by the given thread at once, or only to be released.
  mutating func begin(on thread: ThreadIdentity, ifMatching runs: Bool) -> SlotHandler? {
    guard isWaiting, let handler = take(leaving: runs ? .running(thread) : .over) else { return nil }
    return SlotHandler(handler: handler, runs: runs)
  }

  /// Returns it, not to be run.
  mutating func remove() -> (@Sendable () -> Void)? {
    take(leaving: .over)
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

  private mutating func take(leaving rest: consuming InlineSlot) -> (@Sendable () -> Void)? {
    switch exchange(&self, with: rest) {
    case .waiting(let handler): handler
    default: nil
    }
  }
}

/// The handler without a node on its way to be run or released.
struct SlotHandler: ~Copyable {
  let handler: @Sendable () -> Void
  /// True if it belongs to the outcome, and has been started.
  let runs: Bool

  /// Runs it if it has been started, and releases it.
  consuming func run() {
    if runs { CurrentFuture.runOutside(handler) }
  }
}
