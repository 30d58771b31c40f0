// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - Who stops has what those need that are to end

/// Results are distributed with the lock that a watcher needs to be removed, which then receives none.
///
/// The original distributes a hundred times: here, once.
let kubernetes1321 = Kernel.tasks("kubernetes/1321", .mixed, "sends with lock") { isMended in
  final class Mux: Sendable {
    let (lock, result, stopped) = (TaskLock(), Channel<Int>(), Channel<Never>())
    let isWatched = Flag()

    func distribute(isMended: Bool) async {
      await lock.withLock {
        guard isWatched.isSet else { return }
        if isMended {
          await select(.send(1, to: result) {}, .receive(from: stopped) { _ in })
        } else {
          await result.send(1)
        }
      }
    }

    func stop(isMended: Bool) async {
      if isMended { stopped.close() }
      await lock.withLock { result.close() }
    }
  }
  let mux = Mux()
  Task(name: "distributor") { await mux.distribute(isMended: isMended) }
  mux.isWatched.set()
  await mux.stop(isMended: isMended)
}

/// A container's monitor is told to stop with the lock that its next probe takes.
///
/// The original probes until it is stopped: here, it waits for that after one probe.
let moby28462 = Kernel.tasks("moby/28462", .mixed, "sends with lock") { isMended in
  let (container, stop) = (TaskLock(), Channel<Void>())
  Task(name: "monitor") {
    if selectNow(.receive(from: stop) { _ in }) != nil { return }
    await container.withLock {}
    _ = await stop.receive()
  }
  Task(name: "daemon") {
    await container.withLock {
      if isMended { stop.close() } else { await stop.send(()) }
    }
  }
}

/// Tasks that can be told to stop, and are waited for.
private final class Stopper: Sendable {
  let (stop, workers) = (Channel<Never>(), WaitGroup())

  func run(_ name: String, _ work: @escaping @Sendable () async -> Void) {
    workers.add(1)
    Task(name: name) {
      await work()
      workers.done()
    }
  }

  func stopAndWait() async {
    stop.close()
    await workers.wait()
  }
}

/// One worker is about to send an event when the one that would receive it has stopped.
///
/// The original sends until it is stopped: here, twice.
let cockroach1462 = Kernel.tasks("cockroach/1462", .mixed, "sends after stop") { isMended in
  let (stopper, events) = (Stopper(), Channel<Int>())
  stopper.run("transport") {
    for _ in 1...2 where selectNow(.receive(from: stopper.stop, { _ in })) == nil {
      if isMended {
        await select(.send(0, to: events) {}, .receive(from: stopper.stop) { _ in })
      } else {
        await events.send(0)
      }
    }
    _ = await stopper.stop.receive()
  }
  stopper.run("processor") {
    while await select(.receive(from: events) { _ in true }, .receive(from: stopper.stop) { _ in false }) {}
  }
  await stopper.stopAndWait()
}

/// Stopping waits for a worker with the lock that the worker needs to begin.
///
/// With one stopper, whose tasks end; the original has three, with tasks that don't.
let cockroach1055 = Kernel.tasks("cockroach/1055", .mixed, "waits with lock") { isMended in
  let (lock, isDraining, tasks, stopper) = (TaskLock(), Flag(), WaitGroup(), Stopper())
  stopper.run("worker") {
    if !isDraining.isSet {
      await lock.withLock { tasks.add(1) }
      tasks.done()
    }
    _ = await stopper.stop.receive()
  }
  let stopping = Task(name: "stopper") {
    await lock.lock()
    isDraining.set()
    await tasks.wait()
    if isMended { lock.unlock() }
    await stopper.stopAndWait()
    if !isMended { lock.unlock() }
  }
  await stopping.value
}

/// All plugins are waited for when the first one has been started.
let moby25384 = Kernel.tasks("moby/25384", .mixed, "waits inside loop") { isMended in
  let plugins = ["a", "b"]
  Task(name: "manager") {
    let group = WaitGroup(plugins.count)
    for _ in plugins {
      Task(name: "plugin") { group.done() }
      if !isMended { await group.wait() }
    }
    await group.wait()
  }
}

/// The one who receives addresses tears down the connection that is up, and so sends new ones: with the balancer's lock, on
/// a channel that is full.
///
/// With two addresses; the original has three. As there, number 0 is also the sign that none is up.
let etcd7443 = Kernel.tasks("etcd/7443", .mixed, "sends with two locks") { isMended in
  final class Balancer: Sendable {
    let (lock, addresses) = (TaskLock(), Channel<[Int]>(capacity: 1))
    let (pinned, isClosed) = (Counter(), Flag())
    let isMended: Bool

    init(isMended: Bool) { self.isMended = isMended }

    func notify(_ list: [Int]) async {
      // Mended, the latest addresses take the place of those that nobody has received.
      if isMended { _ = selectNow(.receive(from: addresses) { _ in }) }
      await addresses.send(list)
    }

    func up(_ address: Int) async {
      await lock.withLock {
        guard !isClosed.isSet, pinned.value == 0 else { return }
        pinned.value = address
        await notify([address])
      }
    }

    func down(_ address: Int) async {
      await lock.withLock {
        guard pinned.value == address else { return }
        pinned.value = 0
        await notify([0, 1])
      }
    }

    func close() async {
      await lock.withLock {
        guard !isClosed.isSet else { return }
        isClosed.set()
        addresses.close()
        pinned.value = 0
      }
    }
  }
  final class Connection: Sendable {
    let (lock, address, isUp): (TaskLock, Int, Flag)

    init(_ address: Int) { (lock, self.address, isUp) = (TaskLock(), address, Flag()) }

    func reset(_ balancer: Balancer) async {
      await lock.withLock {
        await balancer.up(address)
        isUp.set()
      }
    }

    func tearDown(_ balancer: Balancer) async {
      await lock.withLock { if isUp.isSet { await balancer.down(address) } }
    }
  }
  final class Client: Sendable {
    let balancer: Balancer
    let connections = Explored.Mutex<[Int: Connection]?>([:])

    init(_ balancer: Balancer) { self.balancer = balancer }

    func watch() async {
      while let addresses = await balancer.addresses.receive() {
        let (added, removed) = connections.withLock { connections in
          let known = connections ?? [:]
          let removed = known.filter { !addresses.contains($0.key) }
          for address in removed.keys { connections?[address] = nil }
          return (addresses.filter { known[$0] == nil }, removed.sorted { $0.key < $1.key }.map(\.value))
        }
        for address in added {
          let connection = Connection(address)
          let isOpen = connections.withLock { connections in
            connections?[address] = connection
            return connections != nil
          }
          if isOpen { Task(name: "connection") { await connection.reset(balancer) } }
        }
        for connection in removed { await connection.tearDown(balancer) }
      }
    }

    func close() async {
      let left = connections.withLock { connections in
        defer { connections = nil }
        return (connections ?? [:]).sorted { $0.key < $1.key }.map(\.value)
      }
      await balancer.close()
      for connection in left { await connection.tearDown(balancer) }
    }
  }
  let client = Client(Balancer(isMended: isMended))
  await client.balancer.addresses.send([0, 1])
  Task(name: "watcher") { await client.watch() }
  Task(name: "client") { await client.close() }
  await client.balancer.close()
}
