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
    /// A program, and the calls that it is without in turn.
    struct Program: Sendable, CustomTestStringConvertible {
      let calls: [String]
      let body: @Sendable (Scenario) -> Void

      init(_ calls: String..., body: @escaping @Sendable (Scenario) -> Void) {
        self.calls = calls
        self.body = body
      }

      var testDescription: String { calls.joined(separator: ", ") }
    }

    private struct Result: Equatable {
      let verdict: TestVerdict
      let (orders, steps): (Int, Int)
      let isControlled: Bool
    }

    private static func run(
      _ program: @escaping @Sendable (Scenario) -> Void,
      ignoring call: String? = nil
    ) async -> Result {
      // A run without a call may give up too soon: that is noticed as well.
      let patience = call == nil ? Duration.seconds(10).patiently : .milliseconds(50)
      let explorer = Explorer("without a call", .exhaustive, patience: patience, .steps { program($0) })
      explorer.ignored.withLock { $0 = call }
      let report = await explorer.run()
      return Result(
        verdict: report.verdict,
        orders: report.orders,
        steps: report.steps,
        isControlled: report.uncontrolled == nil
      )
    }

    @Test(arguments: queues + others) func `A call that isn't driven is noticed`(program: Program) async {
      let driven = await Self.run(program.body)
      #expect(driven.verdict == .passed && driven.isControlled, "\(driven)")
      for call in program.calls {
        let ignored = await Self.run(program.body, ignoring: call)
        #expect(driven != ignored, "\(call)")
      }
      // What differs is due to the call.
      let same = await Self.run(program.body)
      #expect(driven == same, "\(same)")
    }

    private static func two(_ scenario: Scenario, _ body: @escaping @Sendable () -> Void) {
      scenario.thread("a", body)
      scenario.thread("b", body)
    }

    private static func once(_ kind: String) -> Program {
      Program(kind) { scenario in DrivenInitializersTests.meet(scenario, kind, inLock: false) }
    }

    private static func item() -> DispatchWorkItem { DispatchWorkItem(block: { @Sendable in }) }

    private static let queues = [
      Program("dispatch_async") { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.async {} }
      },
      Program("dispatch_barrier_async") { scenario in
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        two(scenario) { queue.async(flags: .barrier) {} }
      },
      Program("dispatch_sync") { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.sync {} }
      },
      Program("dispatch_barrier_sync") { scenario in
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        two(scenario) { queue.sync(flags: .barrier) {} }
      },
      Program("dispatch_after") { scenario in
        let queue = DispatchQueue(label: "q")
        two(scenario) { queue.asyncAfter(deadline: .now() + 1) {} }
      },
      Program("dispatch_queue_create_with_target") { scenario in
        let target = DispatchQueue(label: "target")
        two(scenario) { DispatchQueue(label: "q", target: target).async {} }
      },
      Program("dispatch_queue_attr_make_initially_inactive", "dispatch_activate") { scenario in
        let queue = DispatchQueue(label: "q", attributes: .initiallyInactive)
        two(scenario) { queue.async {} }
        scenario.thread("c") { queue.activate() }
      },
      Program("dispatch_get_specific") { scenario in
        let (queue, key) = (DispatchQueue(label: "q"), DispatchSpecificKey<Int>())
        queue.setSpecific(key: key, value: 1)
        two(scenario) { queue.async { if DispatchQueue.getSpecific(key: key) != nil { Explored.switchPoint() } } }
      },
      Program("dispatch_apply") { scenario in
        scenario.thread("a") { DispatchQueue.concurrentPerform(iterations: 2) { _ in Explored.switchPoint() } }
      },
    ]

    private static let others = [
      Program("dispatch_semaphore_create", "dispatch_semaphore_wait", "dispatch_semaphore_signal") { scenario in
        let semaphore = DispatchSemaphore(value: 1)
        two(scenario) {
          semaphore.wait()
          semaphore.signal()
        }
      },
      Program(
        "dispatch_group_create",
        "dispatch_group_enter",
        "dispatch_group_leave",
        "dispatch_group_wait",
        "dispatch_group_notify",
        body: grouped
      ),
      Program("dispatch_group_async") { scenario in
        let (group, queue) = (DispatchGroup(), DispatchQueue(label: "q"))
        two(scenario) { queue.async(group: group) {} }
      },
      Program("pthread_cond_wait") { scenario in
        let queue = OperationQueue()
        scenario.thread("a") {
          queue.addOperation {}
          queue.waitUntilAllOperationsAreFinished()
        }
      },
      once("swift_once"),
      once("pthread_once"),
      once("dispatch_once_f"),
      Program(
        "dispatch_block_wait",
        "dispatch_block_notify",
        "dispatch_block_cancel",
        "dispatch_block_testcancel",
        body: worked
      ),
      Program(
        "dispatch_source_create",
        "dispatch_source_set_event_handler",
        "dispatch_source_set_cancel_handler",
        "dispatch_source_set_registration_handler",
        "dispatch_source_merge_data",
        "dispatch_source_cancel",
        "dispatch_source_testcancel",
        "dispatch_source_get_data",
        body: told
      ),
      Program("dispatch_source_set_timer", body: timed),
    ]

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
