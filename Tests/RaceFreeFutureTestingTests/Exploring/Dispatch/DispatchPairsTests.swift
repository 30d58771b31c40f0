// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Mistakes in code on queues and locks as people report them, each with its mended twin.
  ///
  /// The first is found, the second isn't rejected. The code is shortened to the mistake; what it calls is unchanged Dispatch
  /// and Foundation.
  @Suite(.serialized) struct DispatchPairsTests {
    @Test(.withoutRecording, arguments: DispatchPair.all)
    func `The mistake is found, and its mended twin passes`(pair: DispatchPair) async {
      let wrong = await explore("\(pair.name), wrong") { pair.fill($0, false) }
      #expect(wrong.verdict == .failed, "\(wrong)")
      #expect(wrong.failure?.contains(pair.words) == true, "\(wrong)")
      #expect(wrong.orders == pair.wrong, "\(pair.name): found in order \(wrong.orders)")
      let mended = await explore("\(pair.name), mended") { pair.fill($0, true) }
      #expect(mended.verdict == .passed && mended.isComplete, "\(mended)")
      #expect(mended.uncontrolled == nil, "\(mended)")
      #expect(mended.orders == pair.mended, "\(pair.name): \(mended.orders) orders, all")
    }
  }

  /// A mistake, and its mended twin.
  struct DispatchPair: Sendable, CustomTestStringConvertible {
    let name: String
    /// What the report of the mistake says.
    let words: String
    /// The number of the order in which it is found, and of all orders of the twin.
    let (wrong, mended): (Int, Int)
    let fill: @Sendable (Scenario, _ isMended: Bool) -> Void

    var testDescription: String { name }

    init(
      _ name: String,
      _ words: String,
      orders: (Int, Int),
      _ fill: @escaping @Sendable (Scenario, _ isMended: Bool) -> Void
    ) {
      (self.name, self.words, wrong, mended) = (name, words, orders.0, orders.1)
      self.fill = fill
    }

    static let all = ofQueues + ofLocks + ofGroups + ofSources
  }

  /// A value that explored code shares; the explorer runs one thread at a time.
  final class PairValue<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// A component with a lock of its own, which others call: a log, say.
  private final class Journal: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    func add(_ line: String) { lock.withLock { lines.append(line) } }
  }

  private func item(_ body: @escaping @Sendable () -> Void) -> DispatchWorkItem { DispatchWorkItem(block: body) }

  // MARK: - Queues and time

  extension DispatchPair {
    static let ofQueues = [
      DispatchPair("a callback after cancel", "called back after cancel", orders: (1, 30)) { scenario, isMended in
        let (state, callbacks) = (DispatchQueue(label: "state"), DispatchQueue(label: "callbacks"))
        let (isCancelled, isGone, failure) = (PairValue(false), PairValue(false), PairValue<String?>(nil))
        scenario.thread("network") {
          let isWanted = state.sync { !isCancelled.value }
          guard isWanted else { return }
          callbacks.async {
            if isMended, state.sync(execute: { isCancelled.value }) { return }
            if isGone.value { failure.value = "called back after cancel" }
          }
        }
        scenario.thread("user") {
          // Cancels where callbacks come: none is under way, and later ones look.
          (isMended ? callbacks : state).sync {
            if isMended { state.sync { isCancelled.value = true } } else { isCancelled.value = true }
            isGone.value = true
          }
        }
        scenario.atEnd { failure.value }
      },
      DispatchPair("a semaphore in a completion handler", "which nobody signals any more", orders: (1, 1)) {
        scenario,
        isMended in
        let (work, delegates) = (DispatchQueue(label: "work"), DispatchQueue(label: "delegates"))
        @Sendable func load(_ completion: @escaping @Sendable () -> Void) {
          work.async { delegates.async(execute: completion) }
        }
        scenario.thread("app") {
          (isMended ? DispatchQueue.global() : delegates).async {
            let isLoaded = DispatchSemaphore(value: 0)
            load { isLoaded.signal() }
            isLoaded.wait()
          }
        }
      },
      // Plain memory is no point: the log that the block calls is where others come in between.
      DispatchPair("a writer without a barrier", "half written", orders: (6, 6)) { scenario, isMended in
        let (queue, log) = (DispatchQueue(label: "cache", attributes: .concurrent), Journal())
        let (key, value, failure) = (PairValue(0), PairValue(0), PairValue<String?>(nil))
        scenario.thread("writer") {
          queue.async(flags: isMended ? .barrier : []) {
            key.value = 1
            log.add("set")
            value.value = 1
          }
        }
        scenario.thread("reader") { queue.sync { if key.value != value.value { failure.value = "half written" } } }
        scenario.atEnd { failure.value }
      },
      DispatchPair("a lazy variable on two queues", "made twice", orders: (8, 56)) { scenario, isMended in
        let (log, lock) = (Journal(), NSLock())
        let (instance, count) = (PairValue<Journal?>(nil), PairValue(0))
        @Sendable func lazily() {
          guard instance.value == nil else { return }
          log.add("made")
          count.value += 1
          instance.value = Journal()
        }
        for name in ["one", "two"] {
          let queue = DispatchQueue(label: name)
          scenario.thread("to \(name)") { queue.async { if isMended { lock.withLock(lazily) } else { lazily() } } }
        }
        scenario.atEnd { count.value > 1 ? "made twice" : nil }
      },
      DispatchPair("asyncAfter against cancel", "timed out although it was answered", orders: (3, 4)) {
        scenario,
        isMended in
        let queue = DispatchQueue(label: "state")
        let (isAnswered, failure) = (PairValue(false), PairValue<String?>(nil))
        queue.asyncAfter(deadline: .now() + 10) {
          if isMended, isAnswered.value { return }
          if isAnswered.value { failure.value = "timed out although it was answered" }
        }
        scenario.thread("network") { queue.async { isAnswered.value = true } }
        scenario.atEnd { failure.value }
      },
      DispatchPair("a work item cancelled while it starts", "used after it was closed", orders: (3, 4)) {
        scenario,
        isMended in
        let (queue, log) = (DispatchQueue(label: "writer"), Journal())
        let (isOpen, failure) = (PairValue(true), PairValue<String?>(nil))
        let write = item {
          log.add("begins")
          if !isOpen.value { failure.value = "used after it was closed" }
        }
        scenario.thread("app") {
          queue.async(execute: write)
          write.cancel()
          if isMended { write.wait() }
          isOpen.value = false
        }
        scenario.atEnd { failure.value }
      },
      DispatchPair("sync on the own queue", "on which it runs: it waits for itself", orders: (1, 1)) {
        scenario,
        isMended in
        let queue = DispatchQueue(label: "database")
        @Sendable func count() -> Int { queue.sync { 1 } }
        let unguarded: @Sendable () -> Int = { 1 }
        scenario.thread("app") {
          queue.async { _ = isMended ? unguarded() : count() }
        }
      },
      DispatchPair("two queues that sync on each other", "waits for its turn on queue", orders: (1, 22)) {
        scenario,
        isMended in
        let (model, view) = (DispatchQueue(label: "model"), DispatchQueue(label: "view"))
        scenario.thread("load") { model.async { if isMended { view.async {} } else { view.sync {} } } }
        scenario.thread("draw") { view.async { model.sync {} } }
      },
      DispatchPair("check, then act", "overdrawn", orders: (4, 4)) { scenario, isMended in
        let (queue, balance) = (DispatchQueue(label: "account"), PairValue(100))
        @Sendable func withdraw() {
          if isMended { return queue.sync { if balance.value >= 80 { balance.value -= 80 } } }
          if queue.sync(execute: { balance.value >= 80 }) { queue.sync { balance.value -= 80 } }
        }
        scenario.thread("one", withdraw)
        scenario.thread("two", withdraw)
        scenario.atEnd { balance.value < 0 ? "overdrawn" : nil }
      },
      DispatchPair("a queue that stays suspended", "is suspended", orders: (1, 48)) { scenario, isMended in
        let (queue, isReachable) = (DispatchQueue(label: "uploads"), PairValue(true))
        let state = NSLock()
        scenario.thread("network") { state.withLock { isReachable.value = false } }
        scenario.thread("app") {
          queue.suspend()
          queue.async {}
          let wasReachable = state.withLock { isReachable.value }
          if isMended || wasReachable { queue.resume() }
          queue.sync {}
        }
      },
      DispatchPair("concurrentPerform into one sum", "lost", orders: (3, 6)) { scenario, isMended in
        let (lock, sum) = (NSLock(), PairValue(0))
        scenario.thread("app") {
          DispatchQueue.concurrentPerform(iterations: 2) { _ in
            if isMended { return lock.withLock { sum.value += 1 } }
            let before = lock.withLock { sum.value }
            lock.withLock { sum.value = before + 1 }
          }
        }
        scenario.atEnd { sum.value == 2 ? nil : "lost" }
      },
    ]
  }

  // MARK: - Locks

  extension DispatchPair {
    static let ofLocks = [
      DispatchPair("lock order", "holds lock", orders: (4, 2)) { scenario, isMended in
        let locks = [NSLock(), NSLock()]
        @Sendable func transfer(from: Int, to: Int) {
          let order = isMended ? [0, 1] : [from, to]
          locks[order[0]].withLock { locks[order[1]].withLock {} }
        }
        scenario.thread("a") { transfer(from: 0, to: 1) }
        scenario.thread("b") { transfer(from: 1, to: 0) }
      },
      DispatchPair("a lost wake-up", "a lost wake-up", orders: (3, 3)) { scenario, isMended in
        let (condition, isReady) = (NSCondition(), PairValue(false))
        scenario.thread("consumer") {
          condition.lock()
          if isMended { while !isReady.value { condition.wait() } } else { condition.wait() }
          condition.unlock()
        }
        scenario.thread("producer") {
          condition.lock()
          isReady.value = true
          condition.signal()
          condition.unlock()
        }
      },
      DispatchPair("an if around a wait", "took from an empty list", orders: (2, 3)) { scenario, isMended in
        let (condition, items, failure) = (NSCondition(), PairValue(0), PairValue<String?>(nil))
        scenario.thread("consumer") {
          condition.lock()
          if isMended { while items.value == 0 { condition.wait() } } else if items.value == 0 { condition.wait() }
          items.value -= 1
          if items.value < 0 { failure.value = "took from an empty list" }
          condition.unlock()
        }
        scenario.thread("producer") {
          condition.lock()
          items.value += 1
          condition.signal()
          condition.unlock()
        }
        scenario.atEnd { failure.value }
      },
      DispatchPair("a delegate called under the lock", "which it holds already", orders: (1, 1)) {
        scenario,
        isMended in
        let (lock, count) = (NSLock(), PairValue(0))
        let delegate: @Sendable () -> Void = { lock.withLock { count.value += 1 } }
        scenario.thread("a") {
          lock.lock()
          if isMended { lock.unlock() }
          delegate()
          if !isMended { lock.unlock() }
        }
      },
      DispatchPair("a semaphore kept by an early return", "which nobody signals any more", orders: (1, 6)) {
        scenario,
        isMended in
        let (turn, isClosed) = (DispatchSemaphore(value: 1), PairValue(false))
        @Sendable func send() {
          turn.wait()
          if isClosed.value {
            if isMended { turn.signal() }
            return
          }
          turn.signal()
        }
        scenario.thread("closer") {
          turn.wait()
          isClosed.value = true
          turn.signal()
        }
        scenario.thread("a", send)
        scenario.thread("b", send)
      },
      DispatchPair("two permits, one by one", "which nobody signals any more", orders: (4, 10)) { scenario, isMended in
        let (permits, both) = (DispatchSemaphore(value: 2), NSLock())
        @Sendable func copy() {
          if isMended { both.lock() }
          permits.wait()
          permits.wait()
          if isMended { both.unlock() }
          permits.signal()
          permits.signal()
        }
        scenario.thread("a", copy)
        scenario.thread("b", copy)
      },
      DispatchPair("a read lock made a write lock", "which it holds already", orders: (1, 14)) { scenario, isMended in
        let lock = unsafe PairValue(UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1))
        unsafe pthread_rwlock_init(lock.value, nil)
        let cached = PairValue<Int?>(nil)
        @Sendable func value() {
          unsafe pthread_rwlock_rdlock(lock.value)
          let isMissing = cached.value == nil
          if isMended { unsafe pthread_rwlock_unlock(lock.value) }
          if isMissing {
            unsafe pthread_rwlock_wrlock(lock.value)
            cached.value = 1
            unsafe pthread_rwlock_unlock(lock.value)
          }
          if !isMended { unsafe pthread_rwlock_unlock(lock.value) }
        }
        scenario.thread("a", value)
        scenario.thread("b", value)
      },
      DispatchPair("a flag under a lock, read before", "completed twice", orders: (3, 4)) { scenario, isMended in
        let (lock, isDone, completions) = (NSLock(), PairValue(false), PairValue(0))
        @Sendable func complete() {
          if isMended {
            let isFirst = lock.withLock {
              defer { isDone.value = true }
              return !isDone.value
            }
            if isFirst { lock.withLock { completions.value += 1 } }
            return
          }
          guard lock.withLock({ !isDone.value }) else { return }
          lock.withLock {
            isDone.value = true
            completions.value += 1
          }
        }
        scenario.thread("answer", complete)
        scenario.thread("timeout", complete)
        scenario.atEnd { completions.value == 1 ? nil : "completed twice" }
      },
    ]
  }

  // MARK: - Groups

  extension DispatchPair {
    static let ofGroups = [
      DispatchPair("a group left twice", "more often than it was entered", orders: (1, 6)) { scenario, isMended in
        let (group, queue) = (DispatchGroup(), DispatchQueue(label: "state"))
        let isDone = PairValue(false)
        group.enter()
        @Sendable func finish() {
          queue.async {
            if isMended, isDone.value { return }
            isDone.value = true
            group.leave()
          }
        }
        scenario.thread("answer", finish)
        scenario.thread("timeout", finish)
        scenario.atEnd { nil }
      },
      DispatchPair("a group that isn't left on failure", "nobody does", orders: (1, 18)) { scenario, isMended in
        let (group, state, isOnline) = (DispatchGroup(), NSLock(), PairValue(true))
        @Sendable func load() {
          group.enter()
          guard state.withLock({ isOnline.value }) else {
            if isMended { group.leave() }
            return
          }
          DispatchQueue.global().async { group.leave() }
        }
        scenario.thread("network") { state.withLock { isOnline.value = false } }
        scenario.thread("app") {
          load()
          group.wait()
        }
      },
      DispatchPair("a group entered inside of its block", "told that all is loaded", orders: (2, 3)) {
        scenario,
        isMended in
        let (group, queue) = (DispatchGroup(), DispatchQueue(label: "loads"))
        let (loaded, failure) = (PairValue(0), PairValue<String?>(nil))
        scenario.thread("app") {
          if isMended { group.enter() }
          queue.async {
            if !isMended { group.enter() }
            loaded.value += 1
            group.leave()
          }
          group.notify(queue: .global()) {
            if loaded.value == 0 { failure.value = "told that all is loaded" }
          }
        }
        scenario.atEnd { failure.value }
      },
    ]
  }
#endif
