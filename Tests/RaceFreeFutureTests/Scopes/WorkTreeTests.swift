// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct WorkTreeTests {
  @Test func `it shows what is open, with names, places, ages and states, and stops nothing`() async throws {
    try await withManualControl { control in
      let service = Scope(label: "service")
      let connection = Scope(in: service, label: "connection")
      _ = Scope(in: service, label: "empty")
      let (upload, imports, end) = (Future(label: "upload"), Scope(in: service, limit: 1, label: "imports"), Future())
      connection.add(upload)
      let activity = connection.beginActivity("goodbye")
      for name in ["first", "second"] { imports.addTask(name: name) { await end.outcome } }
      control.clock.advance(by: .seconds(2))
      let lines = service.openWork.description.split(separator: "\n").map { $0.prefix { $0 != "," } }
      #expect(
        Set(lines.dropFirst()) == [
          "  connection is open",
          "    upload is pending after 2.0 seconds",
          "    goodbye of connection still runs after 2.0 seconds",
          "  imports is open",
          "    first is pending after 2.0 seconds",
          "    second waits for a place after 2.0 seconds",
        ]
      )
      #expect(lines[0] == "service is open" && service.count == 4 && upload.isPending)
      let nodes = connection.openWork.nodes
      #expect(nodes.map(\.depth) == [0, 1, 1])
      #expect(nodes.map(\.work.kind) == [.open, .activity("goodbye"), .pending])
      #expect(nodes[2].work.origin.place.hasPrefix("RaceFreeFutureTests/WorkTreeTests.swift:"))
      upload.complete()
      activity.end()
      #expect(connection.openWork.nodes.isEmpty && connection.openWork.description.isEmpty)
      end.complete()
      control.runAll()
      await service.drain()
      #expect(service.openWork.nodes.isEmpty)
    }
  }

  @Test func `work that isn't a scope is shown, too, with the reason of its cancellation`() {
    let work = Future(label: "work")
    #expect(work.openWork.nodes.map(\.work.kind) == [.pending])
    let activity = work.beginActivity("clean-up")
    work.cancel(throwing: Reason("over"))
    #expect(work.openWork.nodes.map(\.work.kind) == [.open, .activity("clean-up")])
    #expect(reason(work.openWork.nodes[0].work.cancellation?.reason) == Reason("over"))
    activity.end()
    #expect(work.openWork.nodes.isEmpty)
  }

  @Test func `L10 a hundred thousand scopes inside each other are shown without recursion`() async {
    let depth = 100_000
    let count = await onThread(stackSize: 512 << 10) {
      var scopes = [Scope()]
      for _ in 1..<depth { scopes.append(Scope(in: scopes[scopes.count - 1])) }
      let activity = scopes[depth - 1].beginActivity("innermost")
      defer { activity.end() }
      return scopes[0].openWork.nodes.count
    }
    #expect(count == depth + 1)
  }

  /// In a process of its own: from then on all scopes of a process are listed.
  @Test(.exitTests) func `scopes in no other one are listed from when that is asked for, and not kept`() async {
    await #expect(processExitsWith: .success) {
      Scope.listRoots()
      let scope = Scope(label: "root of this test")
      let nested = Scope(in: scope)
      let activity = nested.beginActivity("busy")
      #expect(Scope.openWorkOfRoots.contains("root of this test is open, made at "))
      activity.end()
      #expect(!Scope.openWorkOfRoots.contains("root of this test"))
      for _ in 0..<1_000 { _ = Scope() }
      #expect(RootScopes.all.contains { $0 === scope.future })
      #expect(!RootScopes.all.contains { $0 === nested.future } && RootScopes.count < 1_000)
    }
  }
}
