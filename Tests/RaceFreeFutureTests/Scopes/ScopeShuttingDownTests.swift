// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct ScopeShuttingDownTests {
  @Test func `work that ends when it is asked to is not cancelled`() async throws {
    let scope = Scope()
    let future = Future()
    scope.add(future)
    scope.stopToken.onCancel { future.complete() }
    try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000))
    #expect(future.isCompleted && scope.isCancelled && scope.cancellationReason is CancellationError)
  }

  @Test func `each step has its time, and the last one names what is stuck`() async throws {
    try await withManualControl { control in
      let scope = Scope(label: "server")
      let future = Future(label: "request")
      scope.add(future)
      let activity = scope.beginActivity("stuck")
      let task = Task { try await scope.shutDown(gracefully: .seconds(10), cancelling: .seconds(5)) }
      try await control.clock.timersSet()
      #expect(scope.stopToken.isCancelled && scope.isPending)
      control.clock.advance(by: .seconds(10))
      // The next step. The scope's outcome is seen a moment before its members follow.
      _ = await future.outcome
      let error = try #require(scope.cancellationReason as? TimeoutError)
      #expect(error.interval == .seconds(10) && error.label == "stopping server" && future.isCancelled)
      try await control.clock.timersSet()
      control.clock.advance(by: .seconds(5))
      let late = try await #require(throws: DrainError.self) { try await task.value }
      #expect(late.interval == .seconds(5) && late.remaining.map(\.kind) == [.activity("stuck")])
      activity.end()
    }
  }

  @Test func `without time to stop it is cancelled at once`() async throws {
    let scope = Scope()
    let future = Future()
    scope.add(future)
    try await scope.shutDown(gracefully: .zero, cancelling: .seconds(1_000_000))
    #expect(scope.isCancelled && future.isCancelled)
  }

  @Test func `what is added after the stop is waited for, and cancelled after the cancellation`() async throws {
    let scope = Scope()
    let late = Future()
    scope.stopToken.onCancel(on: .inline) { scope.add(late) }
    let task = Task { try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000)) }
    _ = await scope.stopToken.outcome
    late.complete()
    try await task.value
    let tooLate = Future()
    scope.add(tooLate)
    #expect(late.isCompleted && tooLate.isCancelled)
  }

  @Test func `if its task is cancelled the scope is, and nobody waits any more`() async {
    let scope = Scope()
    let activity = scope.beginActivity("stuck")
    let task = Task { try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000)) }
    _ = await scope.stopToken.outcome
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scope.isCancelled)
    activity.end()
  }

  @Test func `cancelling a scope is a stop, too`() {
    let scope = Scope()
    scope.cancel(throwing: Reason("over"))
    #expect(reason(scope.stopToken.cancellationReason) == Reason("over"))
  }
}

/// They share the signals of the process.
@Suite(.serialized) struct ScopeSignalTests {
  private static let used = ProcessSignal(rawValue: SIGUSR2)

  /// What the signal does when nobody listens.
  ///
  /// Not `SIG_IGN`, which a launch in another test would replace for a moment.
  private static let nothing: @convention(c) (Int32) -> Void = { _ in }

  init() { signal(Self.used.rawValue, Self.nothing) }

  /// Whether the signal does what it did before.
  private static var isAsBefore: Bool {
    var action = sigaction()
    unsafe sigaction(used.rawValue, nil, &action)
    #if canImport(Darwin)
      let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return unsafe handler == unsafeBitCast(nothing, to: Int.self)
  }

  private func send() { kill(getpid(), Self.used.rawValue) }

  /// Suspends until a call of `shutDown(on:)` listens: the handler at the token comes after that.
  private func listens(_ scope: Scope) async throws {
    try await eventually("\(scope) listens") { "\(scope.stopToken)".contains("1 handler") }
  }

  @Test func `one signal reaches each listener once, and none that has gone`() async throws {
    let told = EventLog<String>()
    let remove = try ["a", "b", "c"].map { name in
      try #require(SignalListeners.listen(for: Self.used) { told.add(name) })
    }
    remove[1]()
    send()
    try await eventually("both are told") { told.events.count >= 2 }
    #expect(told.events == ["a", "c"])
    remove[0]()
    remove[2]()
    #expect(Self.isAsBefore)
  }

  @Test func `a signal to a forked child has the effect that it had before, and isn't heard here`() async throws {
    let told = EventLog<String>()
    let fork = unsafe try #require(dlsym(dlopen(nil, RTLD_NOW), "fork"))
    let remove = try [SIGUSR2, SIGALRM].map { number in
      try #require(SignalListeners.listen(for: ProcessSignal(rawValue: number)) { told.add("\(number)") })
    }
    let child = unsafe unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
    if child == 0 {
      // A thread of Dispatch has blocked it.
      var alarm = sigset_t()
      unsafe sigemptyset(&alarm)
      unsafe sigaddset(&alarm, SIGALRM)
      unsafe pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
      kill(getpid(), SIGALRM)
      _exit(0)
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1 && errno == EINTR {}
    #expect(status & 0x7f == SIGALRM, "by default it ends a process")
    // What comes later is heard after what came before.
    send()
    try await eventually("the parent's own signal is heard") { told.events.last == "\(SIGUSR2)" }
    #expect(told.events == ["\(SIGUSR2)"])
    for remove in remove { remove() }
  }

  @Test func `one signal begins it, and the next ones end the steps`() async throws {
    let scope = Scope(label: "server")
    let activity = scope.beginActivity("stuck")
    let task = Task {
      try await scope.shutDown(on: [Self.used], gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000))
    }
    try await eventually("somebody listens") { !Self.isAsBefore }
    #expect(scope.stopToken.isPending)
    send()
    _ = await scope.stopToken.outcome
    #expect(scope.isPending)
    send()
    _ = await scope.outcome
    #expect(scope.cancellationReason is TimeoutError)
    send()
    let error = try await #require(throws: DrainError.self) { try await task.value }
    #expect(error.remaining.map(\.kind) == [.activity("stuck")])
    #expect(Self.isAsBefore)
    activity.end()
  }

  @Test func `a signal ends the step that it comes in, also if the one before ended by itself`() async throws {
    let scope = Scope(label: "server")
    let activity = scope.beginActivity("stuck")
    let task = Task {
      try await scope.shutDown(on: [Self.used], gracefully: .zero, cancelling: .seconds(1_000_000))
    }
    try await eventually("somebody listens") { !Self.isAsBefore }
    send()
    _ = await scope.outcome
    send()
    let error = try await #require(throws: DrainError.self) { try await task.value }
    #expect(error.remaining.map(\.kind) == [.activity("stuck")])
    activity.end()
  }

  @Test func `a signal reaches all who listen, and does what it did before when the last has gone`() async throws {
    let scopes = (0..<3).map { Scope(label: "\($0)") }
    let tasks = scopes.map { scope in
      Task { try await scope.shutDown(on: [Self.used, .kill], gracefully: .seconds(1), cancelling: .seconds(1)) }
    }
    for scope in scopes { try await listens(scope) }
    // The first one ends by itself, the second with its task.
    scopes[0].stop()
    try await tasks[0].value
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(scopes[1].isCancelled)
    let listening = Scope()
    let both = Task {
      try await listening.shutDown(on: [Self.used], gracefully: .seconds(1), cancelling: .seconds(1))
    }
    try await listens(listening)
    send()
    try await eventually("both are told") { listening.isCancelled && scopes[2].isCancelled }
    try await tasks[2].value
    try await both.value
    #expect(Self.isAsBefore)
  }
}
