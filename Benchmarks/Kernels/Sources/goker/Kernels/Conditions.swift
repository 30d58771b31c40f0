// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A condition that isn't signalled, or too early

/// The loop that is to end signals somebody who may not wait yet, and then waits for his end.
///
/// The original signals until the end: here, once.
let kubernetes11298 = Kernel.tasks("kubernetes/11298", .communication, "signal before wait") { isMended in
  let (lock, abort, finished) = (TaskLock(), Channel<Never>(), Channel<Never>())
  let (condition, wakeUps) = (TaskCondition(lock), Channel<Void>(capacity: 1))
  func serve() async {
    await lock.lock()
    defer { lock.unlock() }
    while true {
      let woken = Channel<Never>()
      // The lock is this one's, and is released for it.
      Task(name: "waiter") {
        await condition.wait()
        woken.close()
      }
      let isFinished = await select(.receive(from: finished) { _ in true }, .receive(from: woken) { _ in false })
      guard isFinished else { continue }
      condition.signal()
      _ = await woken.receive()
      return
    }
  }
  /// Mended: a channel keeps what a condition forgets.
  func mendedServe() async {
    while await select(.receive(from: finished) { _ in false }, .receive(from: wakeUps) { _ in true }) {}
  }
  Task(name: "signaller") {
    if isMended {
      _ = selectNow(.send((), to: wakeUps) {})
    } else {
      await lock.withLock { condition.signal() }
    }
    _ = await abort.receive()
    finished.close()
  }
  Task(name: "test") { abort.close() }
  if isMended { await mendedServe() } else { await serve() }
}

/// A watch is removed: that waits for an event which the reader doesn't come to, because it has another to deliver first.
let moby27782 = Kernel.tasks("moby/27782", .communication, "signal nobody sends") { isMended in
  final class Watcher: Sendable {
    let (events, done, lock) = (Channel<Int>(), Channel<Never>(), TaskLock())
    let isClosed = Flag()

    func read() async {
      while selectNow(.receive(from: done) { _ in }) == nil {
        let isDone = await select(.send(1, to: events) { false }, .receive(from: done) { _ in true })
        if isDone { break }
      }
      events.close()
    }

    /// Waits for the event of the removal, with which the reader signals.
    func remove() async {
      let removed = TaskCondition(lock)
      await lock.withLock { await removed.wait() }
    }

    func close() { if isClosed.take() { done.close() } }
  }
  let closed = Channel<Never>()
  Task(name: "follower") {
    let watcher = Watcher()
    Task(name: "reader") { await watcher.read() }
    let isEvent = await select(.receive(from: watcher.events) { _ in true }, .receive(from: closed) { _ in false })
    // Mended, the removal isn't waited for.
    if !isEvent, !isMended { await watcher.remove() }
    watcher.close()
  }
  closed.close()
}

/// A plugin whose activation has failed is waited for as if it could still be activated.
let moby30408 = Kernel.tasks("moby/30408", .communication, "signal nobody sends") { isMended in
  let (lock, isActivated, error) = (TaskLock(), false, "some junk happened" as String?)
  let changed = TaskCondition(lock)
  let waiter = Task(name: "waiter") {
    await lock.withLock {
      while !isActivated, !(isMended && error != nil) { await changed.wait() }
    }
  }
  await waiter.value
}

/// A plugin's handlers are registered, which activates nobody: who waits for the plugin waits for ever.
let moby29733 = Kernel.tasks("moby/29733", .communication, "signal nobody sends") { isMended in
  let (lock, isActivated) = (TaskLock(), Flag())
  let changed = TaskCondition(lock)
  func waitUntilActive() async {
    await lock.withLock { while !isActivated.isSet { await changed.wait() } }
  }
  let waiter = Task(name: "waiter") { await waitUntilActive() }
  if isMended {
    await lock.withLock {
      isActivated.set()
      changed.broadcast()
    }
  }
  await waiter.value
}
