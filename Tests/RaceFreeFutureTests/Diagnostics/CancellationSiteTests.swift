// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// What is switched on holds for the whole program, so each test has one of its own.
@Suite(.exitTests) struct CancellationSiteTests {
  @Test func `without an observer no place is recorded`() {
    let future = Future()
    future.cancel()
    #expect(Future.observer == nil && future.cancellation?.place == nil)
    #expect("\(future)".hasSuffix("cancelled (CancellationError()))"))
  }

  @Test func `every way to cancel tells the file and line of the call`() async {
    await #expect(processExitsWith: .success) { CancellationSiteTests.everyWay() }
  }

  @Test func `a deadline tells where it was set`() async {
    await #expect(processExitsWith: .success) { try CancellationSiteTests.deadline() }
  }

  @Test func `by links it comes to all, and reason, path and place are told together`() async {
    await #expect(processExitsWith: .success) { CancellationSiteTests.links() }
  }

  @Test func `who waits for the end of work is told where it was cancelled`() async {
    await #expect(processExitsWith: .success) { try await CancellationSiteTests.drained() }
  }

  @Test func `what the library cancels for a task has no place, and a caller's can be passed on`() async {
    await #expect(processExitsWith: .success) { await CancellationSiteTests.others() }
  }

  // MARK: In a program of its own

  // Functions of their own, because in what a macro expands to lines are counted in another way.

  fileprivate static func everyWay() {
    Future.observer = { _ in }
    let ways: [(UInt, @Sendable (Future) -> Void)] = [
      (#line, { $0.cancel() }),
      (#line, { $0.cancel(throwing: Reason("why")) }),
      (#line, { $0.cancel {} }),
      (#line, { $0.tryCancel() }),
      (#line, { $0.cancelToken.cancel() }),
      (#line, { $0.cancel(after: .zero) }),
      (#line, { $0.cancel(at: .now - .seconds(1)) }),
      (#line, { future in future.performAndWait { future.cancel() } }),
      (#line, { future in future.cancelToken.performAndWait { future.cancelToken.cancel() } }),
    ]
    for (line, cancel) in ways {
      let future = Future()
      cancel(future)
      #expect(future.cancellation?.place == site(line))
      #expect(future.cancellation?.path == [] && future.isCancelled)
    }
    let value = ValueFuture<Int>()
    let line: UInt = #line + 1
    value.cancel()
    #expect(value.cancellation?.place == site(line))
    let slotWays: [(UInt, @Sendable (LatestFuture) -> Void)] = [
      (#line, { $0.cancel() }),
      (#line, { $0.replace(with: Future()) }),
      (#line, { $0.replace(with: ValueFuture<Int>(), on: .inline) { (_: Result<Int, any Error>) in } }),
      (#line, { $0.replace(with: ValueFuture<Int>(), on: MainActor.shared) { (_: Result<Int, any Error>) in } }),
    ]
    for (line, cancel) in slotWays {
      let (latest, last) = (LatestFuture(), Future())
      latest.replace(with: last)
      cancel(latest)
      #expect(last.cancellation?.place == site(line))
    }
    let scope = Scope()
    let stopLine: UInt = #line + 1
    scope.stopToken.cancel()
    #expect(scope.stopToken.cancellation?.place == site(stopLine))
    let tardy = ValueFuture<Int>()
    let timeoutLine: UInt = #line + 1
    let timed = tardy.timeout(after: .zero)
    #expect(timed.cancellation?.place == site(timeoutLine) && tardy.cancellation?.place == site(timeoutLine))
  }

  fileprivate static func deadline() throws {
    Future.observer = { _ in }
    try withManualControl { control in
      let future = Future()
      let line: UInt = #line + 1
      future.cancel(after: .seconds(1)).extend(by: .seconds(1))
      control.clock.advance(by: .seconds(2))
      #expect(future.cancellation?.place == site(line))
      #expect(future.cancellationReason as? TimeoutError != nil)
      let value = ValueFuture<Int>()
      let nextLine: UInt = #line + 1
      let timed = value.timeout(after: .seconds(1))
      control.clock.advance(by: .seconds(1))
      #expect(timed.cancellation?.place == site(nextLine) && value.cancellation?.place == site(nextLine))
    }
  }

  fileprivate static func drained() async throws {
    Future.observer = { _ in }
    let scope = Scope(label: "server")
    let (cancelled, waiting) = (Future(label: "cancelled"), Future(label: "waiting"))
    let activity = cancelled.beginActivity("farewell")
    let gate = Gate("turn")
    waiting.standStill(until: gate)
    scope.add(cancelled)
    scope.add(waiting)
    let site = site(#line + 1)
    scope.cancel()
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.activity("farewell"), .pending])
    #expect(error.remaining.map(\.cancellation?.place) == [site, site])
    #expect(error.remaining.allSatisfy { "\($0)".hasSuffix("through server, cancelled at \(site))") })
    activity.end()
    gate.open()
    await scope.drain()
    let other = Scope()
    let open = other.beginActivity("open")
    let remaining = try await #require(throws: DrainError.self) { try await other.drain(within: .zero) }.remaining
    #expect(remaining.map(\.cancellation?.place) == [nil])
    open.end()
  }

  fileprivate static func links() {
    Future.observer = { _ in }
    let session = Future(label: "session")
    let download = Future(linkedTo: session, label: "download")
    let file = ValueFuture<Int>(label: "file")
    download.cascadeCancellation(to: file)
    let events = EventLog<Future.Event>()
    Future.observer = { events.add($0) }
    let site = site(#line + 1)
    session.cancel(throwing: Reason("quit"))
    #expect(
      [session.cancellation?.place, download.cancellation?.place, file.cancellation?.place] == [site, site, site]
    )
    #expect(file.cancellation?.path == ["session", "download"] && session.cancellation?.path == [])
    #expect(reason(file.cancellationReason) == Reason("quit"))
    #expect("\(file)".hasSuffix("through session → download, cancelled at \(site)))"))
    #expect("\(session)".hasSuffix("cancelled (\(Reason("quit")), cancelled at \(site)))"))
    let cancellations = events.events.compactMap { event -> Cancellation? in
      if case .cancelled(let cancellation) = event.kind { cancellation } else { nil }
    }
    #expect(cancellations.map(\.place) == [site, site, site])
    #expect(events.events.allSatisfy { "\($0)".contains(site) })
    let children = file.customMirror.children.filter { $0.label == "cancellationSite" }
    #expect(children.map { "\($0.value)" } == [site])
  }

  fileprivate static func others() async {
    Future.observer = { _ in }
    let future = Future()
    let task = Task { try await future.run(cancelsToken: true) { try await Future().value } }
    task.cancel()
    _ = await task.result
    #expect(future.isCancelled && future.cancellation?.place == nil)
    let other = Future()
    other.cancel(fileID: "App/Caller.swift", line: 7)
    #expect(other.cancellation?.place == "App/Caller.swift:7")
    Future.observer = nil
    let last = Future()
    last.cancel()
    #expect(last.cancellation?.place == nil)
  }
}

/// A place in this file.
private func site(_ line: UInt, _ fileID: String = #fileID) -> String { "\(fileID):\(line)" }
