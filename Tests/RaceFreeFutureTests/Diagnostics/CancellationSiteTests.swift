// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// What is switched on holds for the whole program, so each test has one of its own.
@Suite struct CancellationSiteTests {
  @Test func `without being asked for no place is recorded`() {
    let future = Future()
    future.cancel()
    #expect(!Future.recordsCancellationSites && future.cancellationSite == nil)
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

  @Test func `what the library cancels for a task has no place, and a caller's can be passed on`() async {
    await #expect(processExitsWith: .success) { await CancellationSiteTests.others() }
  }

  // MARK: In a program of its own

  // Functions of their own, because in what a macro expands to lines are counted in another way.

  fileprivate static func everyWay() {
    Future.recordsCancellationSites = true
    let ways: [(UInt, @Sendable (Future) -> Void)] = [
      (#line, { $0.cancel() }),
      (#line, { $0.cancel(throwing: Reason("why")) }),
      (#line, { $0.cancel {} }),
      (#line, { $0.tryCancel() }),
      (#line, { $0.cancelToken.cancel() }),
      (#line, { $0.cancel(after: .zero) }),
      (#line, { $0.cancel(at: .now - .seconds(1)) }),
      (#line, { $0.performAndWait { $0.cancel() } }),
      (#line, { $0.cancelToken.performAndWait { $0.cancel() } }),
    ]
    for (line, cancel) in ways {
      let future = Future()
      cancel(future)
      #expect(future.cancellationSite == site(line))
      #expect(future.cancellationPath.isEmpty && future.isCancelled)
    }
    let value = ValueFuture<Int>()
    let line: UInt = #line + 1
    value.cancel()
    #expect(value.cancellationSite == site(line))
    let latest = LatestFuture()
    latest.replace(with: Future())
    let last = latest.current
    let nextLine: UInt = #line + 1
    latest.cancel()
    #expect(last?.cancellationSite == site(nextLine))
  }

  fileprivate static func deadline() throws {
    Future.recordsCancellationSites = true
    try withManualControl { control in
      let future = Future()
      let line: UInt = #line + 1
      future.cancel(after: .seconds(1)).extend(by: .seconds(1))
      control.clock.advance(by: .seconds(2))
      #expect(future.cancellationSite == site(line))
      #expect(future.cancellationReason as? TimeoutError != nil)
    }
  }

  fileprivate static func links() {
    Future.recordsCancellationSites = true
    let session = Future(label: "session")
    let download = Future(linkedTo: session, label: "download")
    let file = ValueFuture<Int>(label: "file")
    download.cascadeCancellation(to: file)
    let events = EventLog<Future.Event>()
    Future.observer = { events.add($0) }
    let site = site(#line + 1)
    session.cancel(throwing: Reason("quit"))
    #expect([session.cancellationSite, download.cancellationSite, file.cancellationSite] == [site, site, site])
    #expect(file.cancellationPath == ["session", "download"] && session.cancellationPath.isEmpty)
    #expect(reason(file.cancellationReason) == Reason("quit"))
    #expect("\(file)".hasSuffix("through session → download, cancelled at \(site)))"))
    #expect("\(session)".hasSuffix("cancelled (\(Reason("quit")), cancelled at \(site)))"))
    #expect(events.events.map(\.cancellationSite) == [site, site, site])
    #expect(events.events.allSatisfy { "\($0)".contains(site) })
    let children = file.customMirror.children.filter { $0.label == "cancellationSite" }
    #expect(children.map { "\($0.value)" } == [site])
  }

  fileprivate static func others() async {
    Future.recordsCancellationSites = true
    let future = Future()
    let task = Task { try await future.run(cancelsToken: true) { try await Future().value } }
    task.cancel()
    _ = await task.result
    #expect(future.isCancelled && future.cancellationSite == nil)
    let other = Future()
    other.cancel(fileID: "App/Caller.swift", line: 7)
    #expect(other.cancellationSite == "App/Caller.swift:7")
    Future.recordsCancellationSites = false
    let last = Future()
    last.cancel()
    #expect(last.cancellationSite == nil)
  }
}

/// A place in this file.
private func site(_ line: UInt, _ fileID: String = #fileID) -> String { "\(fileID):\(line)" }
