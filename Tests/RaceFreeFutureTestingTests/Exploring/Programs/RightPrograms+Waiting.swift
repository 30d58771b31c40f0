// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

extension RightPrograms {
  static let continuations: [AsyncProgram] = [
    AsyncProgram("a gate that opens once") { scenario in
      let gate = AsyncGate()
      let waiters = (0..<2).map { _ in Task { await gate.wait() } }
      await Task.yield()
      gate.open()
      for waiter in waiters { await waiter.value }
    },
    AsyncProgram("a semaphore lets two in") { scenario in
      let (semaphore, inside, most) = (AsyncSemaphore(2), Variable(0), Variable(0))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await semaphore.wait()
            inside.value += 1
            most.value = max(most.value, inside.value)
            await Task.yield()
            inside.value -= 1
            semaphore.signal()
          }
        }
        try await group.waitForAll()
      }
      scenario.check(most.value <= 2, "\(most.value) inside")
    },
    AsyncProgram("a waiter of a semaphore is cancelled, and takes nothing along") { scenario in
      let semaphore = AsyncSemaphore(0)
      let cancelled = Task { try await semaphore.wait() }
      await Task.yield()
      cancelled.cancel()
      _ = await cancelled.result
      let other = Task { try await semaphore.wait() }
      semaphore.signal()
      try await other.value
    },
    AsyncProgram("a callback API that calls back at once") { scenario in
      let value = await withCheckedContinuation { $0.resume(returning: 1) }
      scenario.check(value == 1, "\(value)")
    },
    AsyncProgram("a callback API that calls back later") { scenario in
      let value = await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
        Task { unsafe continuation.resume(returning: 1) }
      }
      scenario.check(value == 1, "\(value)")
    },
    AsyncProgram("a future against its timeout") { scenario in
      let future = ValueFuture<Int>(label: "work")
      let task = Task {
        try? await Task.sleep(for: .seconds(1))
        future.complete(with: 1)
      }
      let value = try await future.value(within: .seconds(5))
      await task.value
      scenario.check(value == 1, "\(value)")
    },
    AsyncProgram("withFuture and a callback") { scenario in
      let value = try await withFuture(of: Int.self) { completer in
        Task {
          await Task.yield()
          completer.complete(with: 3)
        }
      }
      scenario.check(value == 3, "\(value)")
    },
    AsyncProgram("handlers of a future run once") { scenario in
      let (future, runs) = (Future(label: "work"), Variable(0))
      future.onCleanUp { runs.value += 1 }
      async let one: Void = Task { future.complete() }.value
      async let two: Void = Task { future.cancel() }.value
      _ = await (one, two)
      _ = await future.handlersFinished
      scenario.check(runs.value == 1, "\(runs.value) times")
    },
    AsyncProgram("perform blocks and awaits take turns") { scenario in
      let (future, log) = (Future(label: "work"), Variable<[Int]>([]))
      await withTaskGroup { group in
        for number in 0..<2 { group.addTask { await future.withTurn { log.value.append(number) } } }
      }
      scenario.check(log.value.sorted() == [0, 1], "\(log.value)")
    },
  ]

  static let streamsAndTime: [AsyncProgram] = [
    AsyncProgram("a stream delivers all in order") { scenario in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let reader = Task { await stream.reduce(into: []) { $0.append($1) } }
      for number in 0..<3 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
      let all = await reader.value
      scenario.check(all == [0, 1, 2], "\(all)")
    },
    AsyncProgram("a stream to the main actor") { scenario in
      @MainActor final class List {
        var items: [Int] = []
        nonisolated init() {}
      }
      let list = List()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let reader = Task { @MainActor in for await item in stream { list.items.append(item) } }
      continuation.yield(1)
      continuation.yield(2)
      continuation.finish()
      await reader.value
      let items = await list.items
      scenario.check(items == [1, 2], "\(items)")
    },
    AsyncProgram("a reader of a stream is cancelled") { scenario in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let reader = Task { for await _ in stream {} }
      continuation.yield(1)
      await Task.yield()
      reader.cancel()
      await reader.value
    },
    AsyncProgram("a throwing stream ends with its error") { scenario in
      struct Oops: Error {}
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      let reader = Task { for try await _ in stream {} }
      continuation.yield(1)
      continuation.finish(throwing: Oops())
      if case .success = await reader.result { scenario.check(false, "no error") }
    },
    AsyncProgram("sleeps end in the order of their deadlines") { scenario in
      let log = Variable("")
      await withTaskGroup { group in
        for (name, seconds) in [("c", 3), ("a", 1), ("b", 2)] {
          group.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            log.value += name
          }
        }
      }
      scenario.check(log.value == "abc", log.value)
    },
    AsyncProgram("work that is quicker than its time limit") { scenario in
      let value = try await withTimeout(.seconds(5)) {
        try await Task.sleep(for: .seconds(1))
        return 1
      }
      scenario.check(value == 1, "\(value)")
    },
    AsyncProgram("work that is slower than its time limit") { scenario in
      do {
        _ = try await withTimeout(.seconds(1)) { try await Task.sleep(for: .seconds(5)) }
        scenario.check(false, "no timeout")
      } catch is TimedOut {}
    },
    AsyncProgram("tries again after pauses") { scenario in
      struct Busy: Error {}
      let tries = Counter()
      @Sendable func attempt() async throws -> Int {
        let number = await tries.add(1)
        if number < 3 { throw Busy() }
        return number
      }
      for pause in 1...5 {
        do {
          let number = try await attempt()
          scenario.check(number == 3, "\(number)")
          break
        } catch is Busy { try await Task.sleep(for: .seconds(pause)) }
      }
    },
    AsyncProgram("a debouncer acts once") { scenario in
      actor Debouncer {
        private var task: Task<Void, Never>?
        private(set) var actions = 0
        func call() -> Task<Void, Never> {
          task?.cancel()
          let new = Task {
            do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
            actions += 1
          }
          task = new
          return new
        }
      }
      let debouncer = Debouncer()
      for _ in 0..<3 { _ = await debouncer.call() }
      await debouncer.call().value
      let actions = await debouncer.actions
      scenario.check(actions == 1, "\(actions) actions")
    },
    AsyncProgram("a ticker is stopped") { scenario in
      let ticks = Counter()
      let ticker = Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          await ticks.increment()
        }
      }
      try await Task.sleep(for: .milliseconds(3_500))
      ticker.cancel()
      await ticker.value
      let count = await ticks.value
      scenario.check(count == 4, "\(count) ticks")
    },
  ]
}
