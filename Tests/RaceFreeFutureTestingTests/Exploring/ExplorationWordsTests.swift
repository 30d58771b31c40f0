// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

/// Whom reports name, and what is alive when everything has ended.
@Suite struct ExplorationWordsTests {
  actor Loader {
    func load() -> Task<Int, Never> { Task { await Counter().add(1) } }
  }

  @Test func `That all orders were run is said of whole steps, which others might interrupt`() async {
    let tasks = await exploreTasks("tasks") { _ in await Counter().increment() }
    let interrupted = Explorer.interruptions
    #expect(interrupted.contains("Explored's primitives"))
    let extent = "1 order, all in which \(interrupted), of at most"
    #expect(tasks.isComplete && text(of: tasks).contains(extent), "\(tasks)")
    let poll = await exploreTasks("a poll") { _ in
      let isDone = Variable(false)
      Task {
        await Task.yield()
        isDone.value = true
      }
      while !isDone.value { await Task.yield() }
    }
    let words = "all in which \(interrupted) and nobody yields over 3 times while another waits"
    #expect(poll.isComplete && text(of: poll).contains(words), "\(poll)")
    let steps = await explore("steps") { $0.actor("a", .init("step") {}) }
    #expect(steps.isComplete && steps.description.contains("1 order, all that there are, of at most 1 step"))
  }

  private func text(of report: Exploration) -> String { report.description.replacing("\n", with: " ") }

  @Test(.withoutRecording) func `A step says what its own task did, also around the main actor`() async {
    let report = await exploreTasks("titles") { scenario in
      let task = Task { @MainActor in
        await withTaskGroup { group in for _ in 0..<2 { group.addTask { await MainActor.run {} } } }
      }
      await MainActor.run {}
      await task.value
      scenario.check(false, "draw it")
    }
    for words in ["is suspended", "body yields", "task yields", "#2 yields"] {
      #expect(!report.description.contains(words), "\(report)")
    }
    #expect(report.description.contains(" calls main "), "\(report)")
  }

  @Test(.withoutRecording) func `A task is known by its name, else by the function that makes it`() async {
    let report = await exploreTasks("titles") { scenario in
      let named = Task(name: "uploader") { await Counter().increment() }
      let own = Task { await Counter().increment() }
      await withTaskGroup { group in group.addTask(name: "first child") {} }
      await named.value
      await own.value
      _ = await Loader().load().value
      scenario.check(false, "draw it")
    }
    for title in ["uploader", "first child"] { #expect(report.description.contains(" \(title) "), "\(report)") }
    // In a release build a function may be a part of its caller.
    #if DEBUG
      #expect(report.description.contains("Loader.load()"), "\(report)")
    #endif
    #expect(report.description.contains(" task "), "\(report)")
  }

  actor Store {
    var value = 0
    func raise() { value += 1 }
    func add(_ number: Int) async { value += number }
  }

  #if DEBUG && os(Linux)
    @Test(.withoutRecording) func `A call of an actor is told with its method, or its property`() async {
      let report = await exploreTasks("titles") { scenario in
        let store = Store()
        async let one: Void = store.raise()
        async let two: Void = store.add(1)
        let value = await store.value
        _ = await (one, two)
        scenario.check(value < 0, "draw it")
      }
      for words in ["reads Store.value ", "calls Store.raise() ", "calls Store.add(…) "] {
        #expect(report.description.contains(words), "\(report)")
      }
    }
  #endif

  @Test(.withoutRecording) func `A deadlock says on what each task waits, in which function and since when`() async {
    let gate = AsyncGate()
    let report = await exploreTasks("nobody opens") { _ in
      let future = ValueFuture<Int>(label: "answer")
      let waiter = Task(name: "waiter") { await gate.wait() }
      async let value = future.value
      async let sleep: Void = ManualClock().sleep(for: .seconds(1))
      await waiter.value
      _ = try await (value, sleep)
    }
    let failure = report.failure ?? ""
    #if DEBUG
      #expect(failure.contains("\"waiter\" awaits a continuation (in AsyncGate.wait(), since step "), "\(report)")
    #endif
    #expect(failure.contains("\"async let\" awaits \"answer\" ("), "\(report)")
    #expect(failure.contains("\"async let #2\" sleeps on a clock that stands still ("), "\(report)")
    #expect(failure.contains("\"body\" awaits waiter (since step "), "\(report)")
  }

  final class Node: Sendable {
    let next = Variable<Node?>(nil)
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `What an order leaves behind is told of if it was to be released`(isCycle: Bool) async {
    let report = await exploreTasks("no cycle is left") { scenario in
      let (a, b) = (Node(), Node())
      scenario.expectReleased(a, "the head", fileID: "Nodes.swift", line: 7)
      scenario.expectReleased(b)
      // Only if b is linked first.
      let one = Task { a.next.value = b }
      let two = Task { if isCycle, a.next.value == nil { b.next.value = a } }
      await one.value
      await two.value
    }
    #expect((report.failure == nil) == !isCycle && report.isComplete == !isCycle, "\(report)")
    guard isCycle, let failure = report.failure else { return }
    #expect(failure.hasPrefix("everything has ended, but somebody keeps \"the head\" of Nodes.swift:7, \"Node\" of "))
  }

  @Test func `What tasks return, and what the checks keep, is no leak`() async {
    let report = await exploreTasks("returned objects") { scenario in
      let task = Task { scenario.expectReleased(Node()) }
      let node = await task.value
      scenario.invariant { node.next.value == nil ? nil : "it has a next one" }
      scenario.atEnd { node.next.value == nil ? nil : "it has a next one" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }
}
