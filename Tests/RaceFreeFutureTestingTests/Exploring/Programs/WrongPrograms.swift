// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

enum WrongPrograms {
  static let all: [AsyncProgram] = [
    AsyncProgram("read, then write, in two calls of an actor", fails: "an increment is lost") { scenario in
      let box = Box()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let old = await box.value
            await box.set(old + 1)
          }
        }
      }
      let value = await box.value
      scenario.check(value == 2, "an increment is lost")
    },
    AsyncProgram("a cache that loads twice", fails: "loaded 2 times") { scenario in
      let cache = Cache()
      async let one = cache.naive("cat")
      async let two = cache.naive("cat")
      _ = try await (one, two)
      let loads = await cache.loads
      scenario.check(loads == 1, "loaded \(loads) times")
    },
    AsyncProgram("one who is cancelled takes the others along", fails: "the other got") { scenario in
      let cache = Cache()
      let one = Task { try await cache.sharedUntilCancelled("cat") }
      let other = Task { try await cache.sharedUntilCancelled("cat") }
      await Task.yield()
      one.cancel()
      _ = await one.result
      if case .failure(let error) = await other.result { scenario.check(false, "the other got \(error)") }
    },
    AsyncProgram("an old answer is shown", fails: "answer to s is shown") { scenario in
      let (screen, server) = (Screen(), Server())
      let first = Task { @MainActor in await screen.load("s", server) }
      let second = Task { @MainActor in await screen.load("sw", server) }
      await first.value
      await second.value
      let text = await screen.text
      scenario.check(text == "answer to sw", "\(text) is shown")
    },
    AsyncProgram("a spinner that stops too early", fails: "the spinner stopped") { scenario in
      let (screen, server) = (Screen(), Server())
      let ended = Variable(0)
      for name in ["a", "b"] {
        Task { @MainActor in
          await screen.load(name, server)
          ended.value += 1
          scenario.check(ended.value == 2 || screen.isLoading, "the spinner stopped")
        }
      }
    },
    AsyncProgram("a cancellation before there is anything to cancel", fails: "the work wasn't stopped") { scenario in
      let (work, wasStopped) = (Variable(Task<Void, Never>?.none), Variable(false))
      let task = Task {
        await withTaskCancellationHandler {
          let new = Task {
            do { try await Task.sleep(for: .seconds(3_600)) } catch { wasStopped.value = true }
          }
          await Task.yield()
          work.value = new
          await new.value
        } onCancel: {
          work.value?.cancel()
        }
      }
      await Task.yield()
      task.cancel()
      await task.value
      scenario.check(wasStopped.value, "the work wasn't stopped")
    },
    AsyncProgram("a listener that is registered when it has gone", fails: "a listener stays") { scenario in
      let hub = Hub()
      let listener = Task { for await _ in hub.stream {} }
      await Task.yield()
      listener.cancel()
      await listener.value
      // Both have had their turn long before.
      try? await Task.sleep(for: .seconds(1))
      let count = await hub.listeners.count
      scenario.check(count == 0, "a listener stays")
    },
    AsyncProgram("a lost wake-up", fails: "awaits a continuation") { scenario in
      let gate = AsyncGate()
      let waiter = Task { await gate.naiveWait() }
      await Task.yield()
      gate.open()
      await waiter.value
    },
    AsyncProgram("a lock that two take", fails: "lost") { scenario in
      let (lock, shared) = (AsyncLock(), Variable(0))
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await lock.lock()
            let old = shared.value
            await Task.yield()
            shared.value = old + 1
            await lock.naiveUnlock()
          }
        }
      }
      scenario.check(shared.value == 3, "lost")
    },
    AsyncProgram("two tasks await each other", fails: "deadlock") { scenario in
      let (a, b) = (ValueFuture<Int>(label: "a"), ValueFuture<Int>(label: "b"))
      async let one: Void = { b.complete(with: (try? await a.value) ?? 0) }()
      async let two: Void = { a.complete(with: (try? await b.value) ?? 0) }()
      _ = await (one, two)
    },
    AsyncProgram("two locks in two orders", fails: "deadlock") { scenario in
      let (a, b) = (AsyncLock(), AsyncLock())
      @Sendable func both(_ first: AsyncLock, _ second: AsyncLock) async {
        await first.lock()
        await second.lock()
        await second.unlock()
        await first.unlock()
      }
      async let one: Void = both(a, b)
      async let two: Void = both(b, a)
      _ = await (one, two)
    },
    AsyncProgram("a reader that nobody ends", fails: "the body has returned and nothing can continue") { scenario in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task { for await _ in stream {} }
      continuation.yield(1)
      scenario.atEnd {
        _ = continuation
        return nil
      }
    },
    AsyncProgram("a loop that waits for what can't come", fails: "no end") { scenario in
      let isReady = Variable(false)
      while !isReady.value { await Task.yield() }
    },
    AsyncProgram("two unstructured tasks are expected in order", fails: "ba") { scenario in
      let log = Variable("")
      let tasks = ["a", "b"].map { name in Task { log.value += name } }
      for task in tasks { await task.value }
      scenario.check(log.value == "ab", log.value)
    },
    AsyncProgram("the sum is read while money is on its way", fails: "the sum is 90") { scenario in
      let (one, other) = (Box(), Box())
      await one.set(100)
      let transfer = Task {
        await one.set(90)
        await Task.yield()
        await other.set(10)
      }
      let sum = await one.value + other.value
      await transfer.value
      scenario.check(sum == 100, "the sum is \(sum)")
    },
    AsyncProgram("a flag is looked at too late", fails: "work was done after it was stopped") { scenario in
      let (isStopped, log) = (Variable(false), Variable<[String]>([]))
      let worker = Task {
        guard !isStopped.value else { return }
        await Task.yield()
        log.value.append(isStopped.value ? "late" : "work")
      }
      await Task.yield()
      isStopped.value = true
      await worker.value
      scenario.check(log.value != ["late"], "work was done after it was stopped")
    },
    AsyncProgram("an actor's invariant is broken across an await", fails: "an entry without its index") { scenario in
      actor Index {
        private var entries = 0
        private var index = 0
        func add() async {
          entries += 1
          await Task.yield()
          index += 1
        }
        func isConsistent() -> Bool { entries == index }
      }
      let index = Index()
      async let adding: Void = index.add()
      let isConsistent = await index.isConsistent()
      await adding
      scenario.check(isConsistent, "an entry without its index")
    },
    AsyncProgram("a timeout that is shorter than the work", fails: "the body threw an error") { scenario in
      _ = try await withTimeout(.seconds(1)) { try await Task.sleep(for: .seconds(2)) }
    },
  ]
}

/// Registers each listener in a task of its own, and removes it in another one.
private actor Hub {
  private(set) var listeners: [Int: AsyncStream<Int>.Continuation] = [:]

  private func add(_ listener: AsyncStream<Int>.Continuation) { listeners[1] = listener }
  private func remove() { listeners[1] = nil }

  nonisolated var stream: AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.onTermination = { _ in Task { await self.remove() } }
      Task { await self.add(continuation) }
    }
  }
}
