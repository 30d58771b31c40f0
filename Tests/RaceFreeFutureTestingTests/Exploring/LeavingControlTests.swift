// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Code that others than the explorer run: its report says so, and where, and claims nothing.
///
/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct LeavingControlTests {
  /// Waits for somebody else's thread.
  static func answer(from start: (@escaping @Sendable () -> Void) -> Void) async -> Int {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: 7) } }
  }

  private static let operations = {
    let queue = OperationQueue()
    // Safe: it keeps the queue by nothing but this property, and both live for ever.
    unsafe queue.underlyingQueue = underlyingQueue
    return queue
  }()
  fileprivate static let underlyingQueue = DispatchQueue(
    label: "LeavingControlTests",
    // No other test blocks threads of this class.
    qos: .userInteractive,
    attributes: .concurrent
  )

  /// Makes these outside of every order.
  fileprivate static let serialQueue = DispatchQueue(label: "LeavingControlTests, serial")

  /// Makes the queues outside of the orders: those that orders make are driven.
  private static func prepare() { _ = (underlyingQueue, operations, serialQueue) }

  /// Runs something, which may block, on a thread of somebody else: not on one of the pool that all tests share.
  static func run(_ kind: String, _ work: @escaping @Sendable () -> Void) {
    switch kind {
    case "Dispatch": underlyingQueue.async(execute: work)
    default: operations.addOperation(work)
    }
  }

  @Test(.withoutRecording, arguments: ["Dispatch", "an operation queue"])
  func `A task that comes back from elsewhere is told of, with the place`(kind: String) async {
    Self.prepare()
    let report = await exploreTasks(kind, .exhaustive(maxOrders: 20)) { scenario in
      let isWaiting = DispatchSemaphore(value: 0)
      async let other: Void = { _ = isWaiting.signal() }()
      let value = await Self.answer { resume in
        Self.run(kind) {
          isWaiting.wait()
          resume()
        }
      }
      await other
      scenario.check(value == 7, "\(value)")
    }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #if DEBUG
      let place = "answer(…))"
    #else
      // There it is a part of its caller.
      let place = ""
    #endif
    let told = "\"body\" was resumed by another thread (in LeavingControlTests.\(place)"
    #expect(report.uncontrolled?.hasPrefix(told) == true, "\(report)")
    #expect(report.description.replacing("\n", with: " ").contains("control was left"), "\(report)")
  }

  @Test(.withoutRecording, arguments: ["Dispatch", "an operation queue"])
  func `A task that another thread resumes before it waits is told of`(kind: String) async {
    Self.prepare()
    let report = await exploreTasks(kind) { scenario in
      let value = await Self.answer { resume in
        let hasResumed = DispatchSemaphore(value: 0)
        Self.run(kind) {
          resume()
          hasResumed.signal()
        }
        hasResumed.wait()
      }
      scenario.check(value == 7, "\(value)")
    }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #expect(report.uncontrolled == "\"body\" was resumed by another thread", "\(report)")
  }

  actor OnQueue {
    private let queue = QueueExecutor()
    private(set) var calls = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }
    func call() { calls += 1 }
  }

  @Test(.withoutRecording) func `An actor with an executor of its own is told of`() async {
    Self.prepare()
    let report = await exploreTasks("a custom executor") { scenario in
      let actor = OnQueue()
      async let one: Void = actor.call()
      async let two: Void = actor.call()
      _ = await (one, two)
      let calls = await actor.calls
      scenario.check(calls == 2, "\(calls) calls")
    }
    #expect(report.verdict == .inconclusive && !report.isComplete && report.uncontrolled != nil, "\(report)")
  }

  @Test(.withoutRecording) func `A task that begins and ends on somebody else's executor is told of`() async {
    Self.prepare()
    let report = await exploreTasks("a task elsewhere", .exhaustive(maxOrders: 20)) { scenario in
      let actor = OnQueue()
      Task { await actor.call() }
    }
    #expect(report.verdict == .inconclusive && !report.isComplete && report.uncontrolled != nil, "\(report)")
  }

  @globalActor actor Elsewhere {
    static let shared = Elsewhere()
    private let queue = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }
  }

  @Test(.withoutRecording) func `A task that is never under control is told of`() async {
    Self.prepare()
    let report = await exploreTasks("a task that is elsewhere all its life", .exhaustive(maxOrders: 5)) { _ in
      Task { @Elsewhere in _ = 1 }
      await Counter().increment()
    }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #expect(report.uncontrolled?.contains("calls an actor that has an executor of its own") == true, "\(report)")
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `A child that prefers somebody else's executor is told of, also if it has ended when its parent waits`(
    isActor: Bool
  ) async {
    Self.prepare()
    @Sendable func parent() async {
      await withTaskGroup { group in group.addTask(executorPreference: OneAtATime()) {} }
    }
    let report =
      isActor
      ? await explore("a child elsewhere") { $0.actor("parent") { _ in await parent() } }
      : await exploreTasks("a child elsewhere") { _ in await parent() }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #expect(report.uncontrolled?.hasPrefix("a new task") == true, "\(report)")
    #expect(report.uncontrolled?.hasSuffix(" prefers an executor of its own") == true, "\(report)")
  }

  @Test(.withoutRecording) func `A child that prefers the global executor by its name is told of, too`() async {
    let report = await exploreTasks("a child") { _ in
      await withTaskGroup { group in group.addTask(executorPreference: globalConcurrentExecutor) {} }
    }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #expect(report.uncontrolled != nil, "\(report)")
  }

  @Test(.withoutRecording, arguments: ["Dispatch", "an executor", "an actor"])
  func `What the user's own check says comes first, also if the order fails only once`(kind: String) async {
    Self.prepare()
    let runs = Variable(0)
    let report = await exploreTasks(kind, .exhaustive(maxOrders: 20)) { scenario in
      runs.value += 1
      switch kind {
      case "Dispatch": _ = await Self.answer { resume in Self.run(kind) { resume() } }
      case "an executor": await Task(executorPreference: OneAtATime()) {}.value
      default: await OnQueue().call()
      }
      scenario.check(runs.value > 1, "the balance is -60")
    }
    #expect(report.failure?.hasPrefix("the balance is -60 (once; when this order was run") == true, "\(report)")
    let lines = report.description.split(separator: "\n")
    #expect(lines.dropFirst().first?.hasPrefix("the balance is -60 (once") == true, "\(report)")
    #expect(!report.description.contains("is the same each time"), "\(report)")
    #expect(!report.description.contains("isn't the same each time"), "\(report)")
  }

}

/// An executor that returns when the job has run, on a thread of Dispatch.
private final class OneAtATime: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasRun = DispatchSemaphore(value: 0)
    LeavingControlTests.underlyingQueue.async {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      hasRun.signal()
    }
    hasRun.wait()
  }
}

/// A queue as an executor, which Dispatch has on other systems only.
final class QueueExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    LeavingControlTests.serialQueue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
