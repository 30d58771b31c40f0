// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A handler: its work, and once that is taken, the thread that runs it.
///
///     waiting ──dispatch──▶ dispatched
///        └────────┬────────────┤
///                 ├──begin──▶ running ──end──▶ over
///                 │               └──awaitEnd──▶ awaited ──end──▶ over
///                 └──take──▶ over
///
/// It belongs to the lock of the future, as the list does that its entry is in (E1, E2).
struct Handler: ~Copyable {
  enum State: ~Copyable {
    case waiting(HandlerWork)
    /// It is on its way to a queue.
    case dispatched(HandlerWork)
    /// It has started.
    case running(ThreadIdentity)
    /// It has started, and other threads wait for its return: for the group, which is left then.
    case awaited(ThreadIdentity, DispatchGroup)
    /// It has no work: it has returned, was unregistered, or there never was one.
    case over
  }

  let place: HandlerPlace.Kind
  private(set) var state: State
  /// The outcome at which it runs; nil for both.
  let trigger: Future.Outcome?

  init(_ trigger: Future.Outcome?, _ place: HandlerPlace.Kind, _ work: consuming HandlerWork) {
    self.trigger = trigger
    self.place = place
    state = .waiting(work)
  }

  /// Creates a handler without work.
  init() {
    (trigger, place) = (nil, .inline)
    state = .over
  }

  func matches(_ outcome: Future.Outcome) -> Bool { trigger == nil || trigger == outcome }

  /// True if it runs at the outcome, or there is none yet.
  func mayRun(at outcome: Future.Outcome?) -> Bool { outcome == nil || trigger == nil || trigger == outcome }

  var runsInline: Bool {
    if case .inline = place { true } else { false }
  }

  /// True if it can run with its neighbors in one block of the private queue.
  var runsOnPrivateQueue: Bool {
    if case .serialQueue = place { true } else { false }
  }

  /// True if it has neither been dispatched nor started nor been unregistered.
  var isWaiting: Bool {
    switch state {
    case .waiting: true
    default: false
    }
  }

  /// True if threads wait for its return.
  var isAwaited: Bool {
    switch state {
    case .awaited: true
    default: false
    }
  }

  /// Notes that another future or a scope depends on the outcome, if it watches.
  func dependentAdded() {
    switch state {
    case .waiting(.watching(let tell)): tell()
    default: break
    }
  }

  /// Takes the work, so that nobody else can (E2).
  mutating func take() -> HandlerWork? {
    switch exchange(&state, with: .over) {
    case .waiting(let work): return work
    case .dispatched(let work): return work
    case let other:
      state = other
      return nil
    }
  }

  /// Notes that the handler was dispatched, and returns its place.
  @discardableResult
  mutating func dispatch() -> HandlerPlace.Kind {
    if let work = take() { state = .dispatched(work) }
    return place
  }

  /// Takes the work of an inline handler to run it on the given thread; nil if it isn't inline.
  @inline(__always)
  mutating func beginInline(on thread: ThreadIdentity) -> HandlerWork? { runsInline ? begin(on: thread) : nil }

  /// Takes the work to run it on the given thread.
  mutating func begin(on thread: ThreadIdentity) -> HandlerWork? {
    guard let work = take() else { return nil }
    state = .running(thread)
    return work
  }

  /// Notes its return; returns the group that is to be left, if threads wait for that.
  mutating func end() -> DispatchGroup? {
    switch exchange(&state, with: .over) {
    case .awaited(_, let group): group
    default: nil
    }
  }

  /// Notes that a thread waits for its return; returns the group to wait for, the given or an earlier one, or nil if it
  /// isn't running on another thread.
  mutating func awaitEnd(by thread: ThreadIdentity, _ group: DispatchGroup) -> DispatchGroup? {
    switch exchange(&state, with: .over) {
    case .running(let runner) where runner != thread:
      group.enter()
      state = .awaited(runner, group)
      return group
    case .awaited(let runner, let group):
      state = .awaited(runner, group)
      return runner == thread ? nil : group
    case let other:
      state = other
      return nil
    }
  }

  /// The kind of work for a scheduler.
  func kind(_ role: HandlerNode.Role) -> ScheduledWork.Kind {
    if role != .user { return .stage }
    return switch trigger {
    case .completed: .onComplete
    case .cancelled: .onCancel
    case nil: .onCleanUp
    }
  }
}

/// The work of a handler.
///
/// `@safe` in spite of the continuation: the work is taken once, and run once (E2).
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  case detailed(@Sendable (Resolution) -> Void)
  /// Nothing at the outcome; the closure is called when another future or a scope depends on the outcome
  /// (`addWatcher`).
  case watching(@Sendable () -> Void)
  /// A task to resume.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  consuming func run(_ resolution: Resolution, _ hooks: Hooks = .now) {
    switch consume self {
    case .plain(let handler):
      CurrentFuture.runOutside(hooks, handler)
    case .detailed(let handler):
      CurrentFuture.runOutside(hooks) { handler(resolution) }
    case .watching: break
    case .awaiting(let continuation):
      if Resumption.hasToWait {
        Resumption.later { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
  }
}

extension Context {
  /// Wraps the work of a handler to run in the context of the running code.
  @inline(never)
  static func carried(_ work: consuming HandlerWork) -> HandlerWork {
    switch consume work {
    case .plain(let handler):
      return .plain(carried(handler))
    case .detailed(let handler):
      guard let scope = captured() else { return .detailed(handler) }
      return .detailed { resolution in run(in: scope) { handler(resolution) } }
    case .watching(let tell):
      return .watching(tell)
    case .awaiting(let continuation):
      return unsafe .awaiting(continuation)
    }
  }
}
