// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - Two locks, taken in both orders

private final class Heartbeats: Sendable {
  private let waiting = Explored.Mutex([1, 2])

  func withLock<Result: Sendable>(_ body: (inout [Int]) -> Result) -> Result { waiting.withLock { body(&$0) } }
}

/// Heartbeats are sent under the store's lock and take each replica's; a replica ticks under its own and adds a heartbeat.
let cockroach10214 = Kernel.threads("cockroach/10214", .resource, "two locks, two orders") { scenario, isMended in
  let (heartbeats, raft) = (Heartbeats(), Lock())
  scenario.thread("store") {
    if isMended {
      // The heartbeats are taken out before a replica is told.
      let sent = heartbeats.withLock { heartbeats in
        defer { heartbeats = [] }
        return heartbeats
      }
      for _ in sent { raft.withLock {} }
    } else {
      heartbeats.withLock { for _ in $0 { raft.withLock {} } }
    }
  }
  scenario.thread("replica") {
    raft.withLock { for beat in 3...4 { heartbeats.withLock { $0.append(beat) } } }
  }
}

/// The cache of names locks a lease that it finds; who releases a lease locks that first, and then the cache.
let cockroach7504 = Kernel.threads("cockroach/7504", .resource, "two locks, two orders") { scenario, isMended in
  let (table, names, lease) = (Lock(), Lock(), Lock())
  scenario.thread("acquires") {
    names.lock()
    if isMended { names.unlock() }
    lease.withLock {}
    if !isMended { names.unlock() }
  }
  scenario.thread("releases") {
    table.withLock { lease.withLock { names.withLock {} } }
  }
}

/// The namespace controller asks the informer, and that its queue, whether they are in sync; the queue's worker adds a
/// cluster to the informer while it pops.
let kubernetes30872 = Kernel.tasks("kubernetes/30872", .resource, "two locks, two orders") { isMended in
  final class Informer: Sendable {
    let (lock, queue) = (TaskLock(), TaskLock())
    let stop = Channel<Never>()

    func isSynced() async { await lock.withLock { await queue.withLock {} } }

    func addCluster() async { await lock.withLock {} }

    /// The original pops until it is stopped: here, at most twice.
    func run(isMended: Bool) async {
      for _ in 1...2 {
        if selectNow(.receive(from: stop) { _ in true }) == true { return }
        await queue.lock()
        if isMended { queue.unlock() }
        await addCluster()
        if !isMended { queue.unlock() }
      }
    }
  }
  let informer = Informer()
  let stop = Channel<Never>()
  await informer.lock.withLock { _ = Task(name: "informer") { await informer.run(isMended: isMended) } }
  Task(name: "stopper") {
    _ = await stop.receive()
    await informer.lock.withLock { informer.stop.close() }
  }
  Task(name: "reconciler") { await informer.isSynced() }
  stop.close()
}

/// The cacher locks itself and replaces what is in its store, under the store's lock; an event takes the two the other way
/// round.
///
/// Replacing unlocks the cacher, so the second round is the one that blocks.
let kubernetes13135 = Kernel.tasks("kubernetes/13135", .resource, "two locks, two orders") { isMended in
  final class Cacher: Sendable {
    let (lock, store, isInitialized) = (TaskLock(), TaskLock(), Once())
    let (initialized, stop) = (WaitGroup(1), Channel<Never>())

    func add(isMended: Bool) async {
      await store.lock()
      if isMended { store.unlock() }
      await lock.withLock {}
      if !isMended { store.unlock() }
    }

    /// The original caches until it is stopped: here, at most twice.
    func startCaching() async {
      for _ in 1...2 {
        if selectNow(.receive(from: stop) { _ in true }) == true { return }
        await lock.lock()
        await store.withLock {
          await isInitialized.run { initialized.done() }
          lock.unlock()
        }
      }
    }
  }
  let cacher = Cacher()
  Task(name: "cacher") { await cacher.startCaching() }
  await cacher.initialized.wait()
  Task(name: "event") { await cacher.add(isMended: isMended) }
  Task(name: "stopper") { cacher.stop.close() }
}

/// Two delete the same device: one waits for the device with all of them locked, the other locks them again, and holds it.
let moby4951 = Kernel.threads("moby/4951", .resource, "relocks outer lock") { scenario, isMended in
  let (devices, device) = (Lock(), Lock())
  func delete() {
    devices.lock()
    // Mended, the device is locked before all of them.
    if isMended { devices.unlock() }
    device.lock()
    if isMended { devices.lock() }
    // It is removed meanwhile.
    devices.unlock()
    devices.lock()
    device.unlock()
    devices.unlock()
  }
  scenario.thread("one", delete)
  scenario.thread("other", delete)
}

/// A lock for each address, behind one for all: who waits for an address holds that, and who has it can't give it back.
///
/// The original has 50 tasks that fetch ten times each: here, two that fetch once.
let hugo3251 = Kernel.tasks("hugo/3251", .resource, "waits inside outer lock") { isMended in
  final class Locks: Sendable {
    let (all, address) = (ReadWriteLock(), TaskLock())

    func lock(isMended: Bool) async {
      await all.lock()
      if isMended { all.unlock() }
      await address.lock()
      if !isMended { all.unlock() }
    }

    func unlock() async { await all.withReadLock { address.unlock() } }
  }
  let locks = Locks()
  await withTaskGroup { group in
    for _ in 1...2 {
      group.addTask(name: "fetch") {
        await locks.lock(isMended: isMended)
        await locks.unlock()
      }
    }
  }
}
