// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct ScopeAddingTests {
  @Test func `what has left a scope isn't cancelled by it, though the walk had found it before`() throws {
    let (scope, member) = (Scope(), Future())
    let membership = try #require(scope.add(member))
    var engine = Engine()
    let reason = Resolution.cancelled(CancellationError())
    let effect = scope.future.process { $0.decide(reason, .arriving, on: .current) }
    let isDelivered = engine.perform(effect, of: scope.future) != nil
    #expect(!isDelivered)
    // The walk has collected the member, and is interrupted.
    #expect(scope.isCancelled && member.isPending)
    membership.leave()
    engine.run()
    #expect(member.isPending && scope.count == 0)
  }

  @Test func `L7 a resolved member that is still open doesn't grow with the scopes that it leaves`() {
    let member = Future()
    let activity = member.beginActivity("open")
    member.complete()
    for _ in 0..<10 { Scope().add(member)?.leave() }
    #expect(member.hasNoEntries)
    let scope = Scope()
    scope.add(member)
    activity.end()
    #expect(scope.count == 0)
  }

  @Test func `L7 what is open inside a member doesn't grow with the scopes that the member leaves`() {
    let member = Scope()
    let inside = Scope(in: member)
    let activity = inside.beginActivity("busy")
    member.cancel()
    let outer = Scope()
    for _ in 0..<10 { outer.add(member)?.leave() }
    #expect(outer.count == 0 && inside.future.waitCount == 0 && member.future.waitCount == 0)
    outer.add(member)
    #expect(outer.count > 0)
    activity.end()
    #expect(outer.count == 0)
  }

  @Test func `L7 a member doesn't grow either with those that it leaves while its handlers are dispatched`() {
    let member = Future()
    let activity = member.beginActivity("open")
    member.onComplete(on: .inline) { for _ in 0..<10 { Scope().add(member)?.leave() } }
    // Another one, so that the first isn't alone in the list.
    member.onComplete(on: .inline) {}
    member.complete()
    #expect(member.hasNoEntries)
    activity.end()
  }

  @Test func `scopes that were added to each other are all named, and over when one has left`() async throws {
    let scopes = (1...3).map { Scope(label: "\($0)") }
    var last: Scope.Membership?
    for (index, scope) in scopes.enumerated() { last = scope.add(scopes[(index + 1) % 3]) }
    scopes[0].cancel()
    let error = try await #require(throws: DrainError.self) { try await scopes[1].drain(within: .zero) }
    #expect(error.remaining.compactMap(\.origin.label).sorted() == ["1", "2", "3"])
    #expect(error.remaining.allSatisfy { $0.kind == .cycle })
    #expect(error.remaining[0].description.hasPrefix("2 waits for scopes that wait for it, made at "))
    last?.leave()
    #expect(scopes.allSatisfy { $0.count == 0 })
  }

  @Test func `L12 a scope that was added is over when everything in the scopes inside it is`() throws {
    let (outer, added) = (Scope(), Scope())
    outer.add(added)
    let inside = Scope(in: added)
    let activities = [inside.beginActivity("first"), added.beginActivity("second"), inside.beginActivity("third")]
    outer.cancel()
    let drain = try #require(outer.future.beginDrain())
    for activity in activities {
      #expect(drain.end.isPending && outer.count > 0)
      activity.end()
    }
    #expect(drain.end.isCompleted && outer.count == 0)
  }

  @Test func `a task that was added is over when it has returned, and not before`() async throws {
    let (scope, gate) = (Scope(), Gate("the task may end"))
    let task = Task { await gate.passed() }
    // Kept, or its release would also be the end.
    let membership = scope.add(task)
    defer { withExtendedLifetime(membership) {} }
    scope.cancel()
    let drain = try #require(scope.future.beginDrain())
    #expect(drain.end.isPending)
    gate.open()
    await task.value
    try await eventually("the task has left") { drain.end.isCompleted && scope.count == 0 }
  }
}

extension Future {
  fileprivate var hasNoEntries: Bool { process { $0.handlers.isEmpty } }
}
