// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFuture
  import Synchronization
  import TestSupport
  import Testing

  import RaceFreeFutureTesting
  @testable import RaceFreeFutureExploring

  @Suite(.serialized) struct VirtualTimeTests {
    @Test(arguments: TimePrograms.all.map(\.right))
    func `A program that compares clocks with deadlines passes, in every order`(program: AsyncProgram) async {
      let report = await program.explored(.exhaustive)
      #expect(report.passedAllThatDiffer, "\(report)")
    }

    @Test(.withoutRecording, arguments: TimePrograms.all.map(\.wrong))
    func `A mistake with a clock is found, and found again by a replay`(program: AsyncProgram) async {
      let report = await program.explored(.exhaustive)
      #expect(report.failure?.contains(program.failure ?? "") == true, "\(report)")
      let again = await program.explored(.replay(report.order ?? ""))
      #expect(again.failure == report.failure, "\(again)")
    }

    @Test func `all clocks show the time to which sleeps have come, and nothing more`() async {
      let report = await exploreTasks("the clocks agree") { scenario in
        func readings() -> [Duration] {
          let monotonic = Duration.nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
          let date = Duration.nanoseconds(Int64((Date().timeIntervalSince1970 * 1e6).rounded()) * 1_000)
          return [
            Self.continuous.duration(to: .now), Self.suspending.duration(to: .now), monotonic, date,
            scenario.clock.now.offset, .seconds(time(nil)),
          ]
        }
        let before = readings()
        try await Task.sleep(for: .seconds(3_600))
        let passed = zip(before, readings()).map { $1 - $0 }
        scenario.check(Set(passed) == [.seconds(3_600)], "\(passed)")
      }
      #expect(report.passed, "\(report)")
    }

    private static let continuous = ContinuousClock.now
    private static let suspending = SuspendingClock.now

    @Test func `every order begins at the same time`() async {
      let instants = Mutex<Set<ContinuousClock.Instant>>([])
      let report = await exploreTasks("two tasks") { _ in
        instants.withLock { _ = $0.insert(.now) }
        async let first: Void = Task.yield()
        async let second: Void = Task.yield()
        _ = await (first, second)
      }
      #expect(report.passed && report.orders > 1, "\(report)")
      #expect(instants.withLock { $0.count } == 1)
    }

    /// Blocks the step: a queue may be late.
    private static func now(of queue: DispatchQueue, _ hasRead: DispatchSemaphore) -> ContinuousClock.Instant {
      let now = Variable(ContinuousClock.now)
      queue.async {
        now.value = .now
        hasRead.signal()
      }
      hasRead.wait()
      return now.value
    }

    @Test(.withoutRecording) func `other threads read the real time meanwhile`() async {
      // Made outside, so they aren't driven.
      let (queue, hasRead) = (DispatchQueue(label: "elsewhere"), DispatchSemaphore(value: 0))
      let report = await exploreTasks("a thread looks at the clock") { scenario in
        try await Task.sleep(for: .seconds(86_400))
        let ahead = Self.now(of: queue, hasRead).duration(to: .now)
        scenario.check(ahead > .seconds(43_200), "\(ahead) ahead")
      }
      #expect(report.failure == nil && report.verdict == .inconclusive && report.uncontrolled != nil, "\(report)")
    }

    @Test func `the futures of an order have the same time`() async {
      let report = await exploreTasks("a deadline is kept") { scenario in
        let began = ContinuousClock.now
        let future = Future(label: "work")
        future.cancel(after: .seconds(30))
        _ = await future.outcome
        let passed = began.duration(to: .now)
        scenario.check(passed == .seconds(30), "\(passed)")
      }
      #expect(report.passed, "\(report)")
    }

    @Test(arguments: [Duration.seconds(1), .seconds(86_400)])
    func `code that only looks at the clock comes to its deadline`(wait: Duration) async {
      let report = await exploreTasks("busy waits end") { scenario in
        let deadline = ContinuousClock.now + wait
        while ContinuousClock.now < deadline {}
        let (next, yields) = (Date() + wait / .seconds(1), Variable(0))
        while Date() < next {
          yields.value += 1
          await Task.yield()
        }
        scenario.check(yields.value > 1, "time passes between two yields")
      }
      #expect(report.passed, "\(report)")
    }

    @Test func `tasks that wait for a sleeping one by yielding let time pass`() async {
      let report = await exploreTasks("it wakes up") { _ in
        let isReady = Mutex(false)
        let sleeper = Task {
          try await Task.sleep(for: .seconds(5))
          isReady.withLock { $0 = true }
        }
        while !isReady.withLock(\.self) { await Task.yield() }
        try await sleeper.value
      }
      #expect(report.passed, "\(report)")
    }

    @Test func `the clocks go on if that is wanted`() async {
      let subject = OrderRun.Subject.body { scenario in
        let began = ContinuousClock.now
        try await Task.sleep(for: .seconds(86_400))
        let passed = began.duration(to: .now)
        scenario.check(passed > .zero && passed < .seconds(43_200), "\(passed)")
      }
      let report = await Explorer("real time", .exhaustive(maxSteps: 100, seed: 1), time: .real, subject).run()
      #expect(report.passed, "\(report)")
    }

    @Test func `a thread has the real time again when it uses it, and in between`() throws {
      let time = VirtualTime(try #require(VirtualTime.Start()))
      time.now = Duration.seconds(86_400).nanoseconds
      let real = ContinuousClock.now
      time.use()
      let virtual = ContinuousClock.now
      let between = VirtualTime.withRealTime { ContinuousClock.now }
      let again = ContinuousClock.now
      VirtualTime.useReal()
      let after = ContinuousClock.now
      #expect(virtual == again && virtual - real > .seconds(43_200))
      #expect(real <= between && between <= after && after < virtual)
    }
  }
#endif
