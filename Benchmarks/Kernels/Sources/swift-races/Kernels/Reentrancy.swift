// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Code of others is called under a lock, or a lock is held while somebody else is waited for.

extension Kernel {
  static let reentrancy: [Kernel] = [
    Kernel("containerization-908", "apple/containerization#908", "finish() calls a handler that takes its lock") {
      scene in
      let events = EventHub()
      scene.task("listener") { for await _ in events.stream {} }
      scene.task("stop") { scene.isMended ? events.mendedStop() : events.stop() }
    },
    Kernel("futurekit-35", "FutureKit/FutureKit#35", "a cancel calls back under its lock") { scene in
      let future = CancellableFuture()
      scene.thread("view") { future.onCancel { _ = future.isCancelled } }
      scene.thread("user") { scene.isMended ? future.mendedCancel() : future.cancel() }
    },
    Kernel("promise-swift-13", "Shopify/promise-swift#13", "didSet calls back under the lock") { scene in
      let (promise, other) = (CallbackPromise(), CallbackPromise())
      promise.onComplete = { _ = other.isComplete }
      other.onComplete = { _ = promise.isComplete }
      scene.thread("a") { scene.isMended ? promise.mendedComplete() : promise.complete() }
      scene.thread("b") { scene.isMended ? other.mendedComplete() : other.complete() }
    },
    Kernel("kingfisher-2539", "onevcat/Kingfisher#2539", "callbacks are called while a cancel removes them") { scene in
      let task = SessionTask()
      task.add(1) { if task.isRemoved(1) { scene.fail("called after its cancel") } }
      scene.thread("session") { scene.isMended ? task.mendedCallAll() : task.callAll() }
      scene.thread("cell") { scene.isMended ? task.mendedRemove(1) : task.remove(1) }
    },
    Kernel("swift-nio-3360", "apple/swift-nio@f656af6", "a description takes two locks, one in the other") { scene in
      let loop = EventLoop()
      scene.thread("logger") { _ = scene.isMended ? loop.mendedDescription() : loop.description() }
      scene.thread("shutdown") { loop.shutDown() }
    },
    Kernel("swift-subprocess-waitid", "swiftlang/swift-subprocess@6b2d2ac", "waits for a child under the lock") {
      scene in
      let monitor = ProcessMonitor()
      scene.thread("monitor") { scene.isMended ? monitor.mendedReap() : monitor.reap() }
      scene.thread("caller") {
        monitor.register()
        monitor.exits.signal()
      }
    },
    Kernel("tca-3356", "pointfreeco/swift-composable-architecture@2c8b1c0", "main.sync under a lock main takes") {
      scene in
      let shared = SharedReference()
      scene.thread("storage") { scene.isMended ? shared.mendedUpdate() : shared.update() }
      scene.thread("main") { shared.runMain() }
    },
    Kernel("grdb-1362", "groue/GRDB.swift#1362", "observers hold the readers that the writer awaits") { scene in
      let pool = DatabasePool()
      for name in ["a", "b"] { scene.thread(name) { scene.isMended ? pool.mendedObserve() : pool.observe() } }
    },
  ]
}

/// A hub whose lock is held while it ends a stream; the stream's handler takes it to remove itself.
private final class EventHub: Sendable {
  let stream: AsyncStream<Int>
  private let listener: Box<AsyncStream<Int>.Continuation?>

  init() {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    self.stream = stream
    let listener = Box(AsyncStream<Int>.Continuation?.some(continuation))
    self.listener = listener
    continuation.onTermination = { _ in _ = listener.take() }
  }

  func stop() { listener.withLock { $0?.finish() } }
  func mendedStop() { listener.value?.finish() }
}

/// A future that calls its handlers inside of its lock.
///
/// A handler asks whether it is cancelled.
private final class CancellableFuture: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Box(State())

  var isCancelled: Bool { state.value.isCancelled }

  func onCancel(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.handlers.append(handler) } }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      for handler in state.handlers { handler() }
    }
  }

  func mendedCancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      return state.handlers
    }
    for handler in handlers { handler() }
  }
}

/// A promise that calls back under its lock.
///
/// Two of them that look at each other wait for each other.
private final class CallbackPromise: @unchecked Sendable {
  private let state = Box(false)
  /// Set before it is shared.
  var onComplete: @Sendable () -> Void = {}

  var isComplete: Bool { state.value }

  func complete() {
    state.withLock { isComplete in
      isComplete = true
      onComplete()
    }
  }

  func mendedComplete() {
    state.value = true
    onComplete()
  }
}

/// Callbacks of a task.
///
/// The loop goes over a copy, so that one is called which was removed meanwhile.
private final class SessionTask: Sendable {
  private let callbacks = Box([Int: @Sendable () -> Void]())
  private let calling = Semaphore(value: 1)

  func isRemoved(_ id: Int) -> Bool { callbacks.withLock { $0[id] == nil } }
  func add(_ id: Int, _ call: @escaping @Sendable () -> Void) { callbacks.withLock { $0[id] = call } }
  func remove(_ id: Int) { callbacks.withLock { _ = $0.removeValue(forKey: id) } }

  func callAll() {
    for call in callbacks.value.values { call() }
  }

  /// Waits for a call that is running.
  func mendedRemove(_ id: Int) {
    calling.wait()
    remove(id)
    calling.signal()
  }

  func mendedCallAll() {
    for id in callbacks.value.keys {
      calling.wait()
      callbacks.withLock { $0[id] }?()
      calling.signal()
    }
  }
}

/// An event loop with a lock for its tasks and one for its state.
private final class EventLoop: Sendable {
  private let tasks = Box(0)
  private let state = Box("running")

  func description() -> String { tasks.withLock { tasks in "\(tasks) tasks, \(state.value)" } }

  func mendedDescription() -> String {
    let tasks = tasks.value
    return "\(tasks) tasks, \(state.value)"
  }

  func shutDown() {
    state.withLock { state in
      state = "shut down"
      tasks.value = 0
    }
  }
}

/// Waits for any child under the lock with which the caller of the next one registers.
///
/// That one never ends then.
private final class ProcessMonitor: Sendable {
  let exits = Semaphore(value: 0)
  private let registered = Box(0)

  func register() { registered.withLock { $0 += 1 } }
  func reap() { registered.withLock { _ in exits.wait() } }

  func mendedReap() {
    exits.wait()
    registered.withLock { $0 -= 1 }
  }
}

/// A reference to a value that is shown.
///
/// An update from the storage runs on the main queue, and waits for it.
private final class SharedReference: Sendable {
  private let lock = Box(0)
  private let (arrived, ran) = (Semaphore(value: 0), Semaphore(value: 0))

  func update() {
    lock.withLock { value in
      value += 1
      arrived.signal()
      ran.wait()
    }
  }

  func mendedUpdate() {
    lock.withLock { $0 += 1 }
    arrived.signal()
  }

  /// The main queue: a view reads the value, then comes the block.
  func runMain() {
    _ = lock.value
    arrived.wait()
    ran.signal()
  }
}

/// A pool of two readers.
///
/// An observer keeps one while it waits for the writer, who wants another one.
private final class DatabasePool: Sendable {
  private let (readers, writer) = (Semaphore(value: 2), Semaphore(value: 1))

  func observe() {
    readers.wait()
    writer.wait()
    readers.wait()
    readers.signal()
    writer.signal()
    readers.signal()
  }

  func mendedObserve() {
    readers.wait()
    readers.signal()
    writer.wait()
    readers.wait()
    readers.signal()
    writer.signal()
  }
}
