// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A reader that reads again, behind a writer that waits for it

/// Statements run with the configuration locked for reading, and look into the database's cache, which reads it again.
let cockroach16167 = Kernel.tasks("cockroach/16167", .resource, "reads twice, writer between") { isMended in
  final class Executor: Sendable {
    let configuration = ReadWriteLock()

    func databaseCache() async { await configuration.withReadLock {} }

    func execute(isMended: Bool) async {
      await configuration.readLock()
      if isMended { configuration.readUnlock() }
      await databaseCache()
      if !isMended { configuration.readUnlock() }
    }

    func update() async { await configuration.withLock {} }
  }
  let executor = Executor()
  Task(name: "updater") { await executor.update() }
  await executor.execute(isMended: isMended)
}

/// The log's queue asks each replica for its status, for which it reads the store that the caller reads already.
///
/// With one replica; the original has two, or one, as their addresses in memory fall.
let cockroach3710 = Kernel.tasks("cockroach/3710", .resource, "reads twice, writer between") { isMended in
  final class Store: Sendable {
    let (lock, queue) = (ReadWriteLock(), TaskLock())

    func status() async { await lock.withReadLock {} }

    func scan(isMended: Bool) async {
      await lock.readLock()
      if isMended { lock.readUnlock() }
      await queue.withLock { await status() }
      if !isMended { lock.readUnlock() }
    }

    func process() async { await lock.withLock {} }
  }
  let store = Store()
  Task(name: "scanner") { await store.scan(isMended: isMended) }
  Task(name: "processor") { await store.process() }
}

/// A lookup logs the cache while it reads that, and the cache's description reads it again.
///
/// The original looks up three times at once: here, twice.
let cockroach6181 = Kernel.tasks("cockroach/6181", .resource, "reads twice, writer between") { isMended in
  final class Cache: Sendable {
    let lock = ReadWriteLock()

    func description() async -> String { await lock.withReadLock { "ranges" } }

    func lookUp(isMended: Bool) async {
      await lock.readLock()
      if isMended { lock.readUnlock() }
      _ = await description()
      if !isMended { lock.readUnlock() }
      await lock.withLock {}
    }
  }
  let cache = Cache()
  await withTaskGroup { group in
    for _ in 1...2 { group.addTask(name: "lookup") { await cache.lookUp(isMended: isMended) } }
  }
}

/// The state of the processors returns a default, which it reads under the lock for reading.
let kubernetes62464 = Kernel.tasks("kubernetes/62464", .resource, "reads twice, writer between") { isMended in
  final class State: Sendable {
    let lock = ReadWriteLock()

    func processors() async -> Bool { await lock.withReadLock { either() } }

    func defaultProcessors() async { await lock.withReadLock {} }

    func processorsOrDefault(isMended: Bool) async {
      await lock.readLock()
      if isMended { lock.readUnlock() }
      if await !processors() { await defaultProcessors() }
      if !isMended { lock.readUnlock() }
    }

    func setDefault() async { await lock.withLock {} }
  }
  let state = State()
  Task(name: "reconciler") { await state.processorsOrDefault(isMended: isMended) }
  Task(name: "remover") {
    await state.defaultProcessors()
    await state.setDefault()
  }
}

/// Workers read-lock the controller and wait for work of their queues, one of which is empty; a writer waits for both, and
/// keeps the other worker out.
///
/// The original writes and signals 100,000 times: here, once. A queue is a channel here, and the first one's work comes when
/// the second one's has been taken.
let kubernetes58107 = Kernel.tasks("kubernetes/58107", .resource, "waits with read lock") { isMended in
  let workers = ReadWriteLock()
  let (first, second) = (Channel<Void>(), Channel<Void>())
  func work(_ queue: Channel<Void>) async {
    if !isMended { await workers.readLock() }
    _ = await queue.receive()
    if !isMended { workers.readUnlock() }
  }
  Task(name: "first worker") { await work(first) }
  Task(name: "second worker") { await work(second) }
  Task(name: "syncer") { await workers.withLock {} }
  await second.send(())
  await first.send(())
}
