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

  /// Unchanged code on real locks and queues: each call is a step, in every order.
  @Suite(.serialized) struct DrivenCallsTests {
    /// A value that explored code shares; the explorer runs one thread at a time.
    final class Shared<Value>: @unchecked Sendable {
      var value: Value
      init(_ value: Value) { self.value = value }
    }

    // MARK: Locks

    @Test(
      .withoutRecording,
      arguments: ["NSLock", "NSRecursiveLock", "NSCondition", "pthread", "a queue", "a semaphore"]
    )
    func `Two uses of a real lock can be interrupted, and one can't`(kind: String) async {
      for inOne in [false, true] {
        let report = await explore("\(kind), \(inOne)") { scenario in
          let around = Self.around(kind)
          let balance = Shared(100)
          @Sendable func withdraw() {
            let isEnough = Shared(false)
            if inOne {
              return around {
                isEnough.value = balance.value >= 80
                Explored.switchPoint()
                if isEnough.value { balance.value -= 80 }
              }
            }
            around { isEnough.value = balance.value >= 80 }
            around { if isEnough.value { balance.value -= 80 } }
          }
          scenario.thread("a", withdraw)
          scenario.thread("b", withdraw)
          scenario.atEnd { balance.value < 0 ? "overdrawn" : nil }
        }
        #expect(report.verdict == (inOne ? .passed : .failed), "\(report)")
        #expect(report.isComplete == inOne && report.uncontrolled == nil, "\(report)")
      }
    }

    private static func around(_ kind: String) -> @Sendable (() -> Void) -> Void {
      let (lock, recursive, condition) = (NSLock(), NSRecursiveLock(), NSCondition())
      let (queue, semaphore) = (DispatchQueue(label: "q"), DispatchSemaphore(value: 1))
      let mutex = unsafe Shared(UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1))
      unsafe pthread_mutex_init(mutex.value, nil)
      switch kind {
      case "NSLock": return { body in lock.withLock { body() } }
      case "NSRecursiveLock":
        return { body in
          recursive.withLock {
            recursive.withLock {}
            body()
          }
        }
      case "NSCondition": return { body in condition.withLock { body() } }
      case "a queue": return { body in queue.sync(execute: body) }
      case "pthread":
        return { body in
          #expect(unsafe pthread_mutex_lock(mutex.value) == 0)
          body()
          #expect(unsafe pthread_mutex_unlock(mutex.value) == 0)
        }
      default:
        return { body in
          semaphore.wait()
          body()
          semaphore.signal()
        }
      }
    }

    @Test(.withoutRecording) func `Locks taken in two orders are a deadlock, with the places`() async {
      let report = await explore("lock order") { scenario in
        let (one, two) = (NSLock(), NSLock())
        @Sendable func transfer(_ first: NSLock, _ second: NSLock) { first.withLock { second.withLock {} } }
        scenario.thread("a") { transfer(one, two) }
        scenario.thread("b") { transfer(two, one) }
      }
      #expect(report.failure?.contains("\"a\" holds lock 1 and waits for lock 2") == true, "\(report)")
      #expect(report.description.contains("DrivenCallsTests"), "\(report)")
    }

    @Test(.withoutRecording) func `A lock that is locked again by its thread is a deadlock`() async {
      let report = await explore("again") { scenario in
        let lock = NSLock()
        scenario.thread("a") { lock.withLock { lock.withLock {} } }
      }
      #expect(report.failure?.contains("which it holds already") == true, "\(report)")
    }

    @Test func `A lock that is only tried is free or isn't`() async {
      let seen = Shared<Set<[Bool]>>([])
      let report = await explore("try") { scenario in
        let lock = NSLock()
        let got = Shared([false, false])
        for (index, name) in ["a", "b"].enumerated() {
          scenario.thread(name) {
            got.value[index] = lock.try()
            if got.value[index] { lock.unlock() }
          }
        }
        scenario.atEnd {
          seen.value.insert(got.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value == [[true, true], [true, false], [false, true]])
    }

    @Test func `A lock that is held at the end of an order is free again, and a semaphore is given back`() async {
      let lock = NSLock()
      let report = await explore("held at the end") { scenario in
        scenario.thread("a") { lock.lock() }
        scenario.thread("b") { DispatchSemaphore(value: 1).wait() }
      }
      #expect(report.passed && report.isComplete && lock.try(), "\(report)")
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `A wake-up that nobody hears is lost, unless what it says is kept`(isKept: Bool) async {
      let report = await explore("lost wake-up") { scenario in
        let (condition, isReady) = (NSCondition(), Shared(false))
        scenario.thread("waiter") {
          condition.lock()
          if isKept { while !isReady.value { condition.wait() } } else { condition.wait() }
          condition.unlock()
        }
        scenario.thread("signaller") {
          condition.lock()
          isReady.value = true
          condition.signal()
          condition.unlock()
        }
      }
      #expect(report.verdict == (isKept ? .passed : .failed), "\(report)")
      if !isKept { #expect(report.failure?.contains("a lost wake-up") == true, "\(report)") }
    }

    @Test func `A condition's wait has an end in the time of the order`() async {
      let report = await explore("a wait with an end") { scenario in
        let condition = NSCondition()
        let result = Shared(true)
        scenario.thread("waiter") {
          condition.lock()
          result.value = condition.wait(until: Date(timeIntervalSinceNow: 3600))
          condition.unlock()
        }
        scenario.atEnd { nil }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test func `Readers of a read-write lock meet, and writers don't`() async {
      let most = Shared(0)
      let report = await explore("read-write lock") { scenario in
        let lock = unsafe Shared(UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1))
        unsafe pthread_rwlock_init(lock.value, nil)
        let (readers, writers, failure) = (Shared(0), Shared(0), Shared<String?>(nil))
        for name in ["a", "b"] {
          scenario.thread(name) {
            unsafe pthread_rwlock_rdlock(lock.value)
            readers.value += 1
            if writers.value > 0 { failure.value = "a reader met a writer" }
            Explored.switchPoint()
            most.value = max(most.value, readers.value)
            readers.value -= 1
            unsafe pthread_rwlock_unlock(lock.value)
          }
        }
        scenario.thread("writer") {
          unsafe pthread_rwlock_wrlock(lock.value)
          writers.value += 1
          if readers.value > 0 { failure.value = "a writer met a reader" }
          Explored.switchPoint()
          writers.value -= 1
          unsafe pthread_rwlock_unlock(lock.value)
        }
        scenario.atEnd { failure.value }
      }
      #expect(report.passed && report.isComplete && most.value == 2, "\(report)")
    }

    // MARK: Queues

    @Test func `Blocks of a serial queue run in their order, one at a time`() async {
      let seen = Shared<Set<[Int]>>([])
      let report = await explore("in order") { scenario in
        let (queue, log) = (DispatchQueue(label: "q"), Shared<[Int]>([]))
        scenario.thread("a") {
          queue.async { log.value.append(1) }
          queue.async { log.value.append(2) }
        }
        scenario.thread("b") { queue.async { log.value.append(3) } }
        scenario.atEnd {
          seen.value.insert(queue.sync { log.value })
          return nil
        }
      }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
      #expect(seen.value == [[1, 2, 3], [1, 3, 2], [3, 1, 2]])
    }

    @Test func `Blocks of a concurrent queue come in any order, and a barrier between them`() async {
      let seen = Shared<Set<[Int]>>([])
      let report = await explore("barrier") { scenario in
        let (queue, log) = (DispatchQueue(label: "q", attributes: .concurrent), Shared<[Int]>([]))
        scenario.thread("a") {
          queue.async { log.value.append(1) }
          queue.async { log.value.append(2) }
          queue.async(flags: .barrier) { log.value.append(0) }
          queue.async { log.value.append(3) }
        }
        scenario.atEnd {
          seen.value.insert(log.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value == [[1, 2, 0, 3], [2, 1, 0, 3]])
    }

    @Test func `Nothing runs beside a barrier`() async {
      let report = await explore("beside a barrier") { scenario in
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        let (isAlone, failure) = (Shared(false), Shared<String?>(nil))
        scenario.thread("a") {
          queue.async(flags: .barrier) {
            isAlone.value = true
            Explored.switchPoint()
            isAlone.value = false
          }
          queue.async { if isAlone.value { failure.value = "beside the barrier" } }
        }
        scenario.atEnd { failure.value }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test func `Queues with the same target take turns`() async {
      let report = await explore("targets") { scenario in
        let target = DispatchQueue(label: "target")
        let queues = ["a", "b"].map { DispatchQueue(label: $0, target: target) }
        let (inside, failure) = (Shared(0), Shared<String?>(nil))
        for queue in queues {
          scenario.thread("to \(queue.label)") {
            queue.async {
              inside.value += 1
              Explored.switchPoint()
              if inside.value > 1 { failure.value = "two at once" }
              inside.value -= 1
            }
          }
        }
        scenario.atEnd { failure.value }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test(.withoutRecording, arguments: ["itself", "each other", "through its target"])
    func `Queues that wait for each other are a deadlock`(kind: String) async {
      let report = await explore(kind) { scenario in
        let one = DispatchQueue(label: "one")
        let two = DispatchQueue(label: "two", target: kind == "through its target" ? one : nil)
        scenario.thread("a") { one.async { (kind == "itself" ? one : two).sync {} } }
        if kind == "each other" { scenario.thread("b") { two.async { one.sync {} } } }
      }
      let words = [
        "itself": "on which it runs: it waits for itself", "each other": "waits for its turn on queue \"",
        "through its target": "whose target queue \"one\" runs it",
      ]
      #expect(report.failure?.contains(words[kind] ?? "?") == true, "\(report)")
    }

    @Test(arguments: [false, true])
    func `A suspended queue, or one with such a target, runs nothing until that is resumed`(isTarget: Bool) async {
      let report = await explore("suspended") { scenario in
        let (target, log) = (DispatchQueue(label: "target"), Shared<[Int]>([]))
        let queue = isTarget ? DispatchQueue(label: "q", target: target) : target
        target.suspend()
        scenario.thread("a") {
          queue.async { log.value.append(2) }
          Explored.switchPoint()
          log.value.append(1)
          target.resume()
        }
        scenario.atEnd { log.value == [1, 2] ? nil : "\(log.value)" }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test func `A queue that is made inactive waits for its activation`() async {
      let report = await explore("inactive") { scenario in
        let (queue, log) = (DispatchQueue(label: "q", attributes: .initiallyInactive), Shared<[Int]>([]))
        scenario.thread("a") {
          queue.async { log.value.append(2) }
          log.value.append(1)
          queue.activate()
        }
        scenario.atEnd { log.value == [1, 2] ? nil : "\(log.value)" }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test func `Code finds out on which queue it runs`() async {
      let report = await explore("on the queue") { scenario in
        let (queue, key) = (DispatchQueue(label: "q"), DispatchSpecificKey<Int>())
        queue.setSpecific(key: key, value: 7)
        let found = Shared<[Int?]>([])
        scenario.thread("a") {
          found.value.append(DispatchQueue.getSpecific(key: key))
          queue.async {
            dispatchPrecondition(condition: .onQueue(queue))
            found.value.append(DispatchQueue.getSpecific(key: key))
          }
          dispatchPrecondition(condition: .notOnQueue(queue))
        }
        scenario.atEnd { found.value == [nil, 7] ? nil : "\(found.value)" }
      }
      #expect(report.passed, "\(report)")
    }

    @Test(.withoutRecording) func `A precondition that fails is a failing order`() async {
      let report = await explore("a precondition") { scenario in
        let (queue, isDone) = (DispatchQueue(label: "q"), Shared(false))
        scenario.thread("a") {
          queue.async { isDone.value = true }
          queue.sync {}
          if isDone.value { dispatchPrecondition(condition: .onQueue(queue)) }
        }
      }
      #expect(report.failure?.hasPrefix("\"a\" isn't on queue \"q\"") == true, "\(report)")
    }

    @Test func `Iterations of concurrentPerform come in any order, and all end before it returns`() async {
      let seen = Shared<Set<[Int]>>([])
      let report = await explore("concurrentPerform") { scenario in
        let (log, lock) = (Shared<[Int]>([]), NSLock())
        scenario.thread("a") {
          DispatchQueue.concurrentPerform(iterations: 3) { index in lock.withLock { log.value.append(index) } }
          log.value.append(9)
        }
        scenario.atEnd {
          seen.value.insert(log.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value.count == 6 && seen.value.allSatisfy { $0.last == 9 }, "\(seen.value)")
    }

    // MARK: Time

    @Test func `Delays take no time, and come in their order`() async {
      let began = ContinuousClock.now
      let report = await explore("later") { scenario in
        let (queue, log) = (DispatchQueue(label: "q"), Shared<[Int]>([]))
        // Between two steps of a thread time may pass, so all are set before.
        queue.asyncAfter(wallDeadline: .now() + 9000) { log.value.append(3) }
        queue.asyncAfter(deadline: .now() + 7200) { log.value.append(2) }
        queue.asyncAfter(wallDeadline: .now() + 1800) { log.value.append(0) }
        queue.asyncAfter(deadline: .now() + 3600) { log.value.append(1) }
        scenario.thread("a") { Explored.switchPoint() }
        scenario.atEnd { log.value == [0, 1, 2, 3] ? nil : "\(log.value)" }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(ContinuousClock.now - began < .seconds(600))
    }

    @Test func `Sleeps end in the time of the order`() async {
      let report = await explore("sleeps") { scenario in
        let slept = Shared(Duration.zero)
        scenario.thread("a") {
          let began = ContinuousClock.now
          sleep(3600)
          usleep(500_000)
          Thread.sleep(forTimeInterval: 1)
          slept.value = ContinuousClock.now - began
        }
        scenario.atEnd { slept.value >= .seconds(3601) ? nil : "\(slept.value)" }
      }
      #expect(report.passed, "\(report)")
    }

    // MARK: Groups, semaphores, work items

    @Test(.withoutRecording, arguments: ["once", "too often", "too rarely"])
    func `A group has to be left as often as it was entered`(kind: String) async {
      let report = await explore(kind) { scenario in
        let (group, queue) = (DispatchGroup(), DispatchQueue.global())
        group.enter()
        scenario.thread("a") {
          queue.async {
            if kind != "too rarely" { group.leave() }
            if kind == "too often" { group.leave() }
          }
          group.wait()
        }
      }
      let words = [
        "too often": "more often than it was entered",
        "too rarely": "has to be left once more, and nobody does",
      ]
      #expect(report.verdict == (kind == "once" ? .passed : .failed), "\(report)")
      if let words = words[kind] { #expect(report.failure?.contains(words) == true, "\(report)") }
    }

    @Test func `What a group notifies comes behind all of its blocks`() async {
      let report = await explore("notify") { scenario in
        let (group, queue, log) = (DispatchGroup(), DispatchQueue(label: "q"), Shared<[Int]>([]))
        scenario.thread("a") {
          for index in 0..<2 { DispatchQueue.global().async(group: group) { log.value.append(index) } }
          group.notify(queue: queue) { log.value.append(9) }
        }
        scenario.atEnd { log.value.count == 3 && log.value.last == 9 ? nil : "\(log.value)" }
      }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
    }

    @Test(.withoutRecording) func `A semaphore that nobody signals is a deadlock`() async {
      let report = await explore("a semaphore") { scenario in
        let semaphore = DispatchSemaphore(value: 0)
        scenario.thread("a") { semaphore.wait() }
      }
      #expect(report.failure?.contains("which nobody signals any more") == true, "\(report)")
      #expect(report.description.contains("semaphore 1"), "\(report)")
    }

    @Test func `A wait with an end is over before or after the signal`() async {
      let seen = Shared<Set<Bool>>([])
      let report = await explore("a timeout") { scenario in
        let semaphore = DispatchSemaphore(value: 0)
        scenario.thread("a") { seen.value.insert(semaphore.wait(timeout: .now() + 1) == .success) }
        scenario.thread("b") { semaphore.signal() }
      }
      #expect(report.passed && report.isComplete && seen.value == [true, false], "\(report)")
    }

    @Test func `A work item runs, or is cancelled before`() async {
      let seen = Shared<Set<[Int]>>([])
      let report = await explore("a work item") { scenario in
        let (queue, log) = (DispatchQueue(label: "q"), Shared<[Int]>([]))
        let item = Self.item { log.value.append(1) }
        scenario.thread("a") {
          item.notify(queue: queue, execute: Self.item { log.value.append(2) })
          queue.async(execute: item)
          item.wait()
        }
        scenario.thread("b") { item.cancel() }
        scenario.atEnd {
          seen.value.insert(log.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value == [[1, 2], [2]], "\(seen.value)")
    }

    static func item(_ body: @escaping @Sendable () -> Void) -> DispatchWorkItem { DispatchWorkItem(block: body) }

    // MARK: Threads

    @Test(.withoutRecording, arguments: ["pthread", "Thread"], [false, true])
    func `Threads that code makes meet`(kind: String, inOne: Bool) async {
      let report = await explore(kind) { scenario in
        let (lock, balance) = (NSLock(), Shared(100))
        @Sendable func withdraw() {
          if inOne { return lock.withLock { if balance.value >= 80 { balance.value -= 80 } } }
          if lock.withLock({ balance.value >= 80 }) { lock.withLock { balance.value -= 80 } }
        }
        scenario.thread("a") {
          if kind == "Thread" {
            Thread { withdraw() }.start()
            withdraw()
          } else {
            let other = Self.start(withdraw)
            withdraw()
            other?.join()
          }
        }
        scenario.atEnd { balance.value < 0 ? "overdrawn" : nil }
      }
      #expect(report.verdict == (inOne ? .passed : .failed), "\(report)")
      #expect(report.uncontrolled == nil, "\(report)")
    }

    private struct Started {
      let thread: pthread_t
      func join() { _ = pthread_join(thread, nil) }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> Started? {
      var thread = pthread_t()
      let box = unsafe Unmanaged.passRetained(Shared(body))
      let failure = unsafe pthread_create(
        &thread,
        nil,
        { argument in
          guard let argument = unsafe argument else { return nil }
          unsafe Unmanaged<Shared<@Sendable () -> Void>>.fromOpaque(argument).takeRetainedValue().value()
          return nil
        },
        box.toOpaque()
      )
      return failure == 0 ? Started(thread: thread) : nil
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `Operations of a queue meet`(inOne: Bool) async {
      let report = await explore("operations", .exhaustive(maxOrders: 2_000)) { scenario in
        let (lock, balance, queue) = (NSLock(), Shared(100), OperationQueue())
        @Sendable func withdraw() {
          if inOne { return lock.withLock { if balance.value >= 80 { balance.value -= 80 } } }
          if lock.withLock({ balance.value >= 80 }) { lock.withLock { balance.value -= 80 } }
        }
        scenario.thread("a") { for _ in 0..<2 { queue.addOperation(withdraw) } }
        scenario.atEnd { balance.value < 0 ? "overdrawn" : nil }
      }
      #expect(report.verdict == (inOne ? .passed : .failed), "\(report)")
      #expect(report.uncontrolled == nil, "\(report)")
    }

    // MARK: With tasks

    @Test func `A continuation that a block resumes is under control`() async {
      let report = await exploreTasks("a continuation") { scenario in
        let queue = DispatchQueue(label: "q")
        let value = await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: 7) } }
        scenario.check(value == 7, "\(value)")
      }
      #expect(report.passed && report.uncontrolled == nil && report.isComplete, "\(report)")
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `Tasks meet at real locks`(inOne: Bool) async {
      let report = await exploreTasks("tasks") { scenario in
        let (lock, balance) = (NSLock(), Shared(100))
        @Sendable func withdraw() {
          if inOne { return lock.withLock { if balance.value >= 80 { balance.value -= 80 } } }
          if lock.withLock({ balance.value >= 80 }) { lock.withLock { balance.value -= 80 } }
        }
        async let one: Void = withdraw()
        async let two: Void = withdraw()
        _ = await (one, two)
        scenario.check(balance.value >= 0, "overdrawn")
      }
      #expect(report.verdict == (inOne ? .passed : .failed), "\(report)")
      #expect(report.uncontrolled == nil, "\(report)")
    }

    @Test func `The main queue and the main actor take turns`() async {
      let report = await exploreTasks("main") { scenario in
        let (inside, failure) = (Shared(0), Shared<String?>(nil))
        @Sendable func visit() {
          inside.value += 1
          Explored.switchPoint()
          if inside.value > 1 { failure.value = "two at once" }
          inside.value -= 1
        }
        async let one: Void = MainActor.run { visit() }
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            visit()
            continuation.resume()
          }
        }
        await one
        scenario.check(failure.value == nil, failure.value ?? "")
      }
      #expect(report.passed && report.uncontrolled == nil, "\(report)")
    }
  }
#endif
