// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A lock that its holder takes again, or that nobody releases

/// The logger exits when it can't make its file, and wants the lock under which it was about to write.
let cockroach9935 = Kernel.threads("cockroach/9935", .resource, "locked twice") { scenario, isMended in
  let lock = Lock()
  func exit() { lock.withLock {} }
  func output() {
    lock.lock()
    let hasFile = either()
    if isMended { lock.unlock() }
    if !hasFile { exit() }
    if !isMended { lock.unlock() }
  }
  scenario.thread("logger", output)
}

/// A loop is left while it holds the lock: gossip is closed, and the next function waits for ever.
let cockroach584 = Kernel.threads("cockroach/584", .resource, "missing unlock") { scenario, isMended in
  let (lock, isClosed) = (Lock(), true)
  func pass() {
    while true {
      lock.lock()
      if isClosed {
        if isMended { lock.unlock() }
        break
      }
      lock.unlock()
    }
  }
  scenario.thread("gossip") {
    pass()
    pass()
  }
}

/// A lease is renewed under the lock, and the checkpointer that is called then wants the same one.
let etcd10492 = Kernel.tasks("etcd/10492", .resource, "locked twice by callback") { isMended in
  final class Lessor: Sendable {
    let lock = ReadWriteLock()

    func checkpoint() async { await lock.withLock {} }

    func renew(isMended: Bool) async {
      await lock.lock()
      if isMended { lock.unlock() }
      await checkpoint()
      if !isMended { lock.unlock() }
    }
  }
  await Lessor().renew(isMended: isMended)
}

/// `acquire` returns from a closed client with the read lock, and `close()` wants to write.
let etcd5509 = Kernel.tasks("etcd/5509", .resource, "missing read unlock") { isMended in
  final class Client: Sendable {
    let lock = ReadWriteLock()
    let isOpen = Explored.Atomic(true)

    func close() async {
      await lock.lock()
      isOpen.store(false, ordering: .relaxed)
      lock.unlock()
      await lock.lock()
      lock.unlock()
    }

    /// The original asks again until the client is closed: here, up to twice.
    func acquire(isMended: Bool) async {
      for _ in 1...2 {
        await lock.readLock()
        let isClosed = !isOpen.load(ordering: .relaxed)
        if isClosed {
          if isMended { lock.readUnlock() }
          return
        }
        lock.readUnlock()
      }
    }
  }
  let client = Client()
  let getter = Task(name: "getter") { await client.acquire(isMended: isMended) }
  await client.close()
  await getter.value
}

/// The cluster's client syncs under its lock; to find the leader it makes a request, for which it reads under that lock.
let etcd6708 = Kernel.tasks("etcd/6708", .resource, "read lock inside lock") { isMended in
  final class ClusterClient: Sendable {
    let lock = ReadWriteLock()

    func request() async { await lock.withReadLock {} }

    func sync(isMended: Bool) async {
      if isMended {
        await request()
        await lock.withLock {}
      } else {
        await lock.withLock { await request() }
      }
    }
  }
  await ClusterClient().sync(isMended: isMended)
}

/// A timer's block returns with the lock when the removal was called off meanwhile.
///
/// Only the decisive part: the original removes and adds a connection a thousand times.
let grpc3017 = Kernel.threads("grpc/3017", .resource, "missing unlock in timer") { scenario, isMended in
  let (lock, isCalledOff) = (Lock(), Variable(false))
  scenario.thread("client") {
    // A new connection takes the old one's place; the timer has fired, and can't be stopped any more.
    lock.withLock { isCalledOff.value = true }
    lock.withLock {}
  }
  scenario.thread("timer") {
    lock.lock()
    if isCalledOff.value {
      if isMended { lock.unlock() }
      return
    }
    lock.unlock()
  }
}

/// A server that is stopped twice locks twice; it doesn't even unlock the first time.
let grpc795 = Kernel.threads("grpc/795", .resource, "lock for unlock") { scenario, isMended in
  let (lock, isDraining) = (Lock(), Variable(false))
  func stop() {
    lock.lock()
    if isDraining.value {
      if isMended { lock.unlock() } else { lock.lock() }
      return
    }
    isDraining.value = true
    if isMended { lock.unlock() }
  }
  scenario.thread("server") { lock.withLock {} }
  scenario.thread("test") { for _ in 1...3 { stop() } }
}

/// A page is rendered under its lock; a shortcode in it asks for the page's word count, which needs that lock.
///
/// The first request gives up after a time, as the original does, and the rendering goes on by itself.
let hugo5379 = Kernel.tasks("hugo/5379", .resource, "locked twice by shortcode") { isMended in
  final class Page: Sendable {
    let (content, plain, lock) = (Once(), Once(), TaskLock())

    func wordCount(isMended: Bool) async {
      await content.run {
        let rendered = Channel<Void>(capacity: 1)
        Task(name: "renderer") {
          await lock.withLock { await wordCount(isMended: isMended) }
          await rendered.send(())
        }
        await select(.receive(from: rendered) { _ in }, .receive(from: someTime()) { _ in })
      }
      await plain.run {
        // Mended, the plain text is made from the content that there is, without the lock.
        if !isMended { await lock.withLock {} }
      }
    }
  }
  await Page().wordCount(isMended: isMended)
}

/// The devices stay locked when none is deleted.
///
/// The original's second caller gives up after a millisecond, and its task stays behind.
let moby17176 = Kernel.threads("moby/17176", .resource, "missing unlock") { scenario, isMended in
  let (lock, deleted) = (Lock(), 0)
  scenario.thread("clean-up") {
    lock.lock()
    if deleted == 0 {
      if isMended { lock.unlock() }
      return
    }
    lock.unlock()
  }
  scenario.thread("device") { lock.withLock {} }
}

/// Hot-adding disks removes them at the start, under the lock that removing takes.
let moby36114 = Kernel.threads("moby/36114", .resource, "locked twice") { scenario, isMended in
  let disks = Explored.Mutex(["disk"])
  func remove() { disks.withLock { $0 = [] } }
  scenario.thread("service") {
    if isMended { disks.withLock { $0 = [] } } else { disks.withLock { _ in remove() } }
  }
}

/// A proxy that can't dial goes on to the next round with the lock.
let moby7559 = Kernel.threads("moby/7559", .resource, "missing unlock in loop") { scenario, isMended in
  let lock = Lock()
  scenario.thread("proxy") {
    for _ in 1...2 {
      lock.lock()
      let hasDialled = either()
      if !hasDialled {
        if isMended { lock.unlock() }
        continue
      }
      lock.unlock()
      break
    }
  }
}

/// A mapping tells of what it removes while it is written, and telling reads.
let syncthing4829 = Kernel.tasks("syncthing/4829", .resource, "read lock inside lock") { isMended in
  final class Mapping: Sendable {
    let lock = ReadWriteLock()

    func notify() async { await lock.withReadLock {} }

    func clear(isMended: Bool) async {
      await lock.lock()
      if isMended { lock.unlock() }
      await notify()
      if !isMended { lock.unlock() }
    }
  }
  let (services, mapping) = (ReadWriteLock(), Mapping())
  await services.withLock { await mapping.clear(isMended: isMended) }
}
