// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The runtime holds a lock of the task while it calls a cancellation handler, and takes it to resume the task. Whoever
// resumes under a lock that the handler takes has two locks in two orders.

extension Kernel {
  static let lockInversions: [Kernel] = [
    Kernel("async-algorithms-303", "apple/swift-async-algorithms@da4e36f", "zip resumes under its lock") { scene in
      let zip = Zip()
      let consumer = scene.task("consumer") { await zip.next(isMended: scene.isMended) }.cancellable
      scene.task("producer") { scene.isMended ? zip.mendedProduce() : zip.produce() }
      scene.task("user") { consumer.cancel() }
    },
    Kernel("swift-nio-2558", "apple/swift-nio@c2da95c", "yield resumes under the producer's lock") { scene in
      let producer = Producer()
      let consumer = scene.task("consumer") { await producer.next() }.cancellable
      scene.task("channel") {
        await producer.isWaiting.wait()
        scene.isMended ? producer.mendedYield() : producer.yield()
      }
      scene.task("user") {
        await producer.isWaiting.wait()
        consumer.cancel()
      }
    },
    Kernel("blesswift-25", "kylebrowning/BLESwift#25", "a broadcast under the lock that removes listeners") { scene in
      let broadcaster = Broadcaster()
      let stream = broadcaster.subscribe()
      let listener = scene.task("listener") { for await _ in stream {} }.cancellable
      scene.task("peripheral") { scene.isMended ? broadcaster.mendedSend() : broadcaster.send() }
      scene.task("view") { listener.cancel() }
    },
    Kernel("foundation-5412", "swiftlang/swift-corelibs-foundation#5412", "a response is given under the lock") {
      scene in
      let session = Session()
      let data = scene.task("data") { try await session.data() }.cancellable
      scene.task("network") {
        await session.isLoading.wait()
        scene.isMended ? session.mendedRespond() : session.respond()
      }
      scene.task("user") {
        await session.isLoading.wait()
        data.cancel()
      }
    },
    Kernel("async-dns-86", "apple/swift-async-dns-resolver#86", "the cancel calls back under the channel's lock") {
      scene in
      let channel = AresChannel()
      for (name, canceller) in [("a", "user"), ("b", "timer")] {
        let query = scene.task(name) {
          try await scene.isMended ? channel.mendedQuery() : channel.query()
        }.cancellable
        scene.task(canceller) { query.cancel() }
      }
    },
    Kernel("swift-nio-3455", "apple/swift-nio@663ddc8", "a lock is held over withCheckedContinuation") { scene in
      let bucket = TokenBucket()
      for name in ["a", "b"] {
        scene.task(name) {
          await scene.isMended ? bucket.mendedTake() : bucket.take()
          await Task.yield()
          bucket.giveBack()
        }
      }
    },
  ]
}

/// Resumes its consumer inside of its lock, which the consumer's cancellation takes as well.
private final class Zip: Sendable {
  private struct State {
    var isOver = false
    var consumer: CheckedContinuation<Void, Never>?
  }

  private let state = Box(State())

  func next(isMended: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.isOver { state.consumer = continuation }
          return state.isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      isMended ? mendedProduce() : produce()
    }
  }

  func produce() {
    state.withLock { state in
      state.isOver = true
      state.consumer.take()?.resume()
    }
  }

  func mendedProduce() {
    let consumer = state.withLock { state in
      state.isOver = true
      return state.consumer.take()
    }
    consumer?.resume()
  }
}

/// A producer that yields to one who waits.
///
/// Only the yield resumes under the lock; the cancellation is careful.
private final class Producer: Sendable {
  let isWaiting = Signal()
  private let state = Box((isOver: false, consumer: CheckedContinuation<Void, Never>?.none))

  func next() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.isOver { state.consumer = continuation }
          return state.isOver
        }
        if isOver { continuation.resume() }
        isWaiting.give()
      }
    } onCancel: {
      mendedYield()
    }
  }

  func yield() {
    state.withLock { state in
      state.isOver = true
      state.consumer.take()?.resume()
    }
  }

  func mendedYield() {
    let consumer = state.withLock { state in
      state.isOver = true
      return state.consumer.take()
    }
    consumer?.resume()
  }
}

/// Holds its lock while it yields; a listener that is cancelled removes itself under it.
private final class Broadcaster: Sendable {
  private let listeners = Box([Int: AsyncStream<Int>.Continuation]())

  func subscribe() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { [listeners] _ in listeners.withLock { _ = $0.removeValue(forKey: 1) } }
    listeners.withLock { $0[1] = continuation }
    return stream
  }

  func send() {
    listeners.withLock { listeners in
      for continuation in listeners.values { continuation.yield(1) }
    }
  }

  func mendedSend() {
    for continuation in listeners.value.values { continuation.yield(1) }
  }
}

/// A session whose delegate gives the response to the task's continuation under the lock that cancels it.
private final class Session: Sendable {
  let isLoading = Signal()
  private let task = Box(CheckedContinuation<Void, any Error>?.none)

  func data() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        task.value = continuation
        isLoading.give()
      }
    } onCancel: {
      task.take()?.resume(throwing: CancellationError())
    }
  }

  func respond() { task.withLock { $0.take()?.resume() } }
  func mendedRespond() { task.take()?.resume() }
}

/// A channel with a lock for all.
///
/// To cancel a query it calls back all of them under that lock, and another one of them may be about to be cancelled,
/// which takes the lock.
private final class AresChannel: Sendable {
  private struct State {
    var isCancelled = false
    var queries: [CheckedContinuation<Void, any Error>] = []
  }

  private let state = Box(State())

  func query() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.queries.append(continuation)
          if state.isCancelled { cancelAll(&state) }
        }
      }
    } onCancel: {
      state.withLock { state in
        state.isCancelled = true
        cancelAll(&state)
      }
    }
  }

  private func cancelAll(_ state: inout State) {
    for query in state.queries { query.resume(throwing: CancellationError()) }
    state.queries = []
  }

  func mendedQuery() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.queries.append(continuation) }
          return state.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let queries = state.withLock { state in
        defer { state = State(isCancelled: true) }
        return state.queries
      }
      for query in queries { query.resume(throwing: CancellationError()) }
    }
  }
}

/// Tokens for tasks.
///
/// The lock is taken before the continuation is made, and given back in its body, which may have to be enqueued first:
/// written here as the yield that it comes to. Then the thread that should run it may wait for the lock.
private final class TokenBucket: Sendable {
  private let lock = Semaphore(value: 1)
  private let state = Box((tokens: 1, waiters: [CheckedContinuation<Void, Never>]()))

  // No async function may call `wait()`.
  private func acquire() { lock.wait() }

  func take() async {
    acquire()
    if state.withLock({ takeToken(&$0, nil) }) {
      lock.signal()
      return
    }
    await Task.yield()
    await withCheckedContinuation { continuation in
      _ = state.withLock { takeToken(&$0, continuation) }
      lock.signal()
    }
  }

  func mendedTake() async {
    await withCheckedContinuation { continuation in
      if state.withLock({ takeToken(&$0, continuation) }) { continuation.resume() }
    }
  }

  private func takeToken(
    _ state: inout (tokens: Int, waiters: [CheckedContinuation<Void, Never>]),
    _ continuation: CheckedContinuation<Void, Never>?
  ) -> Bool {
    if state.tokens > 0 {
      state.tokens -= 1
      return true
    }
    if let continuation { state.waiters.append(continuation) }
    return false
  }

  func giveBack() {
    acquire()
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.waiters.isEmpty { return state.waiters.removeFirst() }
      state.tokens += 1
      return nil
    }
    lock.signal()
    waiter?.resume()
  }
}
