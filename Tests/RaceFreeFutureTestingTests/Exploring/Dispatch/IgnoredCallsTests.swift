// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFuture
  @testable import RaceFreeFutureExploring
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Functions of Dispatch that are driven, each left out: a small program shows it.
  ///
  /// Without `dispatch_suspend`, `dispatch_resume`, `dispatch_set_target_queue` and the preconditions: the real ones stop the
  /// program then.
  @Suite(.serialized) struct IgnoredCallsTests {
    private struct Result: Equatable {
      let verdict: TestVerdict
      let (orders, steps): (Int, Int)
      let isControlled: Bool
    }

    private static func run(_ program: @escaping @Sendable (Scenario) -> Void, ignoring call: String?) async -> Result {
      let explorer = Explorer(
        "without a call",
        .exhaustive,
        patience: .milliseconds(call == nil ? 300 : 50),
        .steps { program($0) }
      )
      explorer.ignored.withLock { $0 = call }
      let report = await explorer.run()
      return Result(
        verdict: report.verdict,
        orders: report.orders,
        steps: report.steps,
        isControlled: report.uncontrolled == nil
      )
    }

    @Test(arguments: programs.keys.sorted()) func `A call that isn't driven is noticed`(call: String) async throws {
      let program = try #require(Self.programs[call])
      let (driven, ignored) = (await Self.run(program, ignoring: nil), await Self.run(program, ignoring: call))
      #expect(driven.verdict == .passed && driven.isControlled, "\(driven)")
      #expect(driven != ignored)
    }

    private static func two(_ scenario: Scenario, _ body: @escaping @Sendable () -> Void) {
      scenario.thread("a", body)
      scenario.thread("b", body)
    }

    private static func item() -> DispatchWorkItem { DispatchWorkItem(block: { @Sendable in }) }

    private static let programs: [String: @Sendable (Scenario) -> Void] = queues.merging(others) { $1 }.merging(sources)
    { $1 }

    private static let queues: [String: @Sendable (Scenario) -> Void] = [
      "dispatch_async": { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.async {} }
      },
      "dispatch_barrier_async": { scenario in
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        two(scenario) { queue.async(flags: .barrier) {} }
      },
      "dispatch_sync": { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.sync {} }
      },
      "dispatch_barrier_sync": { scenario in
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        two(scenario) { queue.sync(flags: .barrier) {} }
      },
      "dispatch_after": { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.asyncAfter(deadline: .now() + 1) {} }
      },
      "dispatch_queue_create_with_target": { scenario in
        let target = DispatchQueue(label: "target")
        two(scenario) { DispatchQueue(label: "q", target: target).async {} }
      },
      "dispatch_queue_attr_make_initially_inactive": { scenario in
        let queue = DispatchQueue(label: "q", attributes: .initiallyInactive)
        two(scenario) { queue.async {} }
        scenario.thread("c") { queue.activate() }
      },
      "dispatch_activate": { scenario in
        let queue = DispatchQueue(label: "q", attributes: .initiallyInactive)
        two(scenario) { queue.async {} }
        scenario.thread("c") { queue.activate() }
      },
      "dispatch_get_specific": { scenario in
        let (queue, key) = (DispatchQueue(label: "q"), DispatchSpecificKey<Int>())
        queue.setSpecific(key: key, value: 1)
        two(scenario) { queue.async { if DispatchQueue.getSpecific(key: key) != nil { Explored.switchPoint() } } }
      },
      "dispatch_apply": { scenario in
        two(scenario) { DispatchQueue.concurrentPerform(iterations: 2) { _ in Explored.switchPoint() } }
      },
    ]

    private static let others: [String: @Sendable (Scenario) -> Void] = [
      "dispatch_semaphore_create": { scenario in
        let semaphore = DispatchSemaphore(value: 1)
        two(scenario) {
          semaphore.wait()
          semaphore.signal()
        }
      },
      "dispatch_semaphore_wait": { scenario in
        let semaphore = DispatchSemaphore(value: 1)
        two(scenario) {
          semaphore.wait()
          semaphore.signal()
        }
      },
      "dispatch_semaphore_signal": { scenario in
        let semaphore = DispatchSemaphore(value: 1)
        two(scenario) {
          semaphore.wait()
          semaphore.signal()
        }
      },
      "dispatch_group_create": { scenario in grouped(scenario) },
      "dispatch_group_enter": { scenario in grouped(scenario) },
      "dispatch_group_leave": { scenario in grouped(scenario) },
      "dispatch_group_wait": { scenario in grouped(scenario) },
      "dispatch_group_notify": { scenario in grouped(scenario) },
      "dispatch_group_async": { scenario in
        let (group, queue) = (DispatchGroup(), DispatchQueue(label: "q"))
        two(scenario) { queue.async(group: group) {} }
      },
      "pthread_cond_wait": { scenario in
        let queue = OperationQueue()
        scenario.thread("a") {
          queue.addOperation {}
          queue.waitUntilAllOperationsAreFinished()
        }
      },
      "swift_once": { scenario in DrivenInitializersTests.meet(scenario, "swift_once", inLock: false) },
      "pthread_once": { scenario in DrivenInitializersTests.meet(scenario, "pthread_once", inLock: false) },
      "dispatch_once_f": { scenario in DrivenInitializersTests.meet(scenario, "dispatch_once_f", inLock: false) },
      "dispatch_block_wait": { scenario in worked(scenario) },
      "dispatch_block_notify": { scenario in worked(scenario) },
      "dispatch_block_cancel": { scenario in worked(scenario) },
      "dispatch_block_testcancel": { scenario in worked(scenario) },
    ]

    private static let sources: [String: @Sendable (Scenario) -> Void] = Dictionary(
      uniqueKeysWithValues: [
        "create", "set_event_handler", "set_cancel_handler", "set_registration_handler", "set_timer", "merge_data",
        "cancel",
        "testcancel", "get_data",
      ].map { ("dispatch_source_\($0)", $0 == "set_timer" ? timed : told) }
    )

    private static func told(_ scenario: Scenario) {
      let queue = DispatchQueue(label: "q")
      let source = DrivenCallsTests.Shared(DispatchSource.makeUserDataAddSource(queue: queue))
      source.value.setRegistrationHandler { Explored.switchPoint() }
      source.value.setEventHandler { for _ in 0..<source.value.data { Explored.switchPoint() } }
      source.value.setCancelHandler { Explored.switchPoint() }
      source.value.activate()
      scenario.thread("a") {
        source.value.add(data: 1)
        if !source.value.isCancelled { queue.async { source.value.cancel() } }
      }
    }

    private static func timed(_ scenario: Scenario) {
      let timer = DrivenCallsTests.Shared(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
      timer.value.setEventHandler { Explored.switchPoint() }
      timer.value.schedule(deadline: .now() + 1)
      timer.value.activate()
      scenario.thread("a") { if timer.value.isCancelled { Explored.switchPoint() } }
    }

    private static func grouped(_ scenario: Scenario) {
      let (group, queue) = (DispatchGroup(), DispatchQueue(label: "q"))
      scenario.thread("a") {
        group.enter()
        queue.async { group.leave() }
        group.notify(queue: queue) {}
        group.wait()
      }
      scenario.thread("b") { Explored.switchPoint() }
    }

    private static func worked(_ scenario: Scenario) {
      let (queue, item) = (DispatchQueue(label: "q"), item())
      scenario.thread("a") {
        item.notify(queue: queue, execute: Self.item())
        queue.async(execute: item)
        if !item.isCancelled { item.wait() }
      }
      scenario.thread("b") { item.cancel() }
    }
  }
#endif
