// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A channel is waited for with a lock that the other side needs

/// The keep-alive waits with the lock to be woken by a stream, and the stream needs the lock for that.
let grpc1460 = Kernel.tasks("grpc/1460", .mixed, "receives with lock") { isMended in
  let (lock, awaken) = (TaskLock(), Channel<Void>(capacity: isMended ? 1 : 0))
  let streams = Counter()
  Task(name: "keep-alive") {
    await lock.lock()
    let isIdle = streams.value < 1
    if isMended { lock.unlock() }
    if isIdle { _ = await awaken.receive() }
    if !isMended { lock.unlock() }
  }
  Task(name: "stream") {
    await lock.withLock {
      streams.value += 1
      if streams.value == 1 { _ = selectNow(.send((), to: awaken) {}) }
    }
  }
}

/// A balancer sends addresses with its lock; the watcher, about to receive them, takes the lock for what it received before.
///
/// The original sends a hundred times: here, twice.
let grpc1353 = Kernel.tasks("grpc/1353", .mixed, "sends with lock") { isMended in
  let (lock, addresses, ended) = (TaskLock(), Channel<Bool>(capacity: isMended ? 1 : 0), Channel<Never>())
  Task(name: "balancer") {
    for _ in 1...2 {
      await lock.withLock {
        // Mended, the latest addresses take the place of those that nobody has received.
        if isMended { _ = selectNow(.receive(from: addresses) { _ in }) }
        await addresses.send(true)
      }
    }
    ended.close()
  }
  Task(name: "watcher") { while await addresses.receive() != nil { await lock.withLock {} } }
  Task(name: "closer") {
    _ = await ended.receive()
    await lock.withLock { addresses.close() }
  }
}

/// Who follows waits for the leader with the lock that the leader needs to go on.
///
/// The original has three clients and a hundred rounds: here, two and one.
let etcd7902 = Kernel.tasks("etcd/7902", .mixed, "receives with lock") { isMended in
  let (lock, next) = (TaskLock(), Channel<Never>())
  await withTaskGroup { group in
    for isLeader in [true, false] {
      group.addTask(name: isLeader ? "leader" : "follower") {
        await lock.withLock {}  // validates
        if !isMended { await lock.lock() }
        if isLeader { next.close() }
        _ = await next.receive()
        if !isMended { lock.unlock() }
      }
    }
  }
}

/// A token is added with a lock; who takes it from the channel is busy with one that has expired, and needs the lock.
let etcd7492 = Kernel.tasks("etcd/7492", .mixed, "sends with lock") { isMended in
  let (lock, added, stop) = (TaskLock(), Channel<Void>(capacity: 1), Channel<Channel<Void>>())
  Task(name: "keeper") {
    enum Event: Sendable { case added, tick, stop(Channel<Void>?) }
    var (hasToken, tick) = (false, someTime())
    while true {
      let event = await select(
        .receive(from: added) { _ in Event.added },
        .receive(from: tick) { _ in .tick },
        .receive(from: stop) { .stop($0) }
      )
      switch event {
      case .added: hasToken = true
      case .tick:
        if hasToken { await lock.withLock {} }
        // The original ticks on; one tick that finds a token is enough.
        tick = hasToken ? Channel() : someTime()
        if !hasToken { hasToken = await added.receive() != nil }
      case .stop(let isStopped): return await isStopped?.send(()) ?? ()
      }
    }
  }
  await withTaskGroup { group in
    for _ in 1...3 {
      group.addTask(name: "user") {
        await lock.lock()
        if isMended { lock.unlock() }
        await added.send(())
        if !isMended { lock.unlock() }
      }
    }
  }
  let isStopped = Channel<Void>()
  await stop.send(isStopped)
  _ = await isStopped.receive()
}

/// Stopping waits, with the lock, for a task that needs it for what is still in the channel.
let etcd6873 = Kernel.tasks("etcd/6873", .mixed, "receives with lock") { isMended in
  let (lock, updates, done) = (TaskLock(), Channel<Int>(capacity: 1), Channel<Never>())
  Task(name: "broadcaster") {
    while await updates.receive() != nil { await lock.withLock {} }
    done.close()
  }
  _ = selectNow(.send(1, to: updates) {})
  Task(name: "stopper") {
    await lock.lock()
    updates.close()
    if isMended { lock.unlock() }
    _ = await done.receive()
    if !isMended { lock.unlock() }
  }
}

/// A handler sends with the lock; who is to receive takes the lock first.
///
/// The original's loop then waits for another event when it is stopped, which none of its tests sends: here, it ends.
let istio16224 = Kernel.tasks("istio/16224", .mixed, "sends with lock") { isMended in
  let (lock, events, done, stop) = (TaskLock(), Channel<Int>(), Channel<Bool>(), Channel<Never>())
  Task(name: "monitor") {
    while await select(.receive(from: stop) { _ in false }, .receive(from: events) { _ in true }) {
      await lock.lock()
      if isMended { lock.unlock() }
      await done.send(true)
      if !isMended { lock.unlock() }
    }
  }
  await events.send(0)
  await lock.withLock {}
  _ = await done.receive()
  stop.close()
}

/// A breaker lets one request in at a time; the test lets them end in another order than that in which they got in.
let serving2137 = Kernel.tasks("serving/2137", .mixed, "waits in wrong order") { isMended in
  let (pending, active) = (Channel<Void>(capacity: 2), Channel<Void>(capacity: 1))
  func request(_ lock: TaskLock) async -> Bool {
    guard selectNow(.send((), to: pending, {})) != nil else { return false }
    await active.send(())
    await lock.withLock {}
    _ = await active.receive()
    _ = await pending.receive()
    return true
  }
  var requests: [(lock: TaskLock, isAccepted: Channel<Bool>)] = []
  for _ in 1...2 {
    let (lock, isAccepted, started) = (TaskLock(), Channel<Bool>(capacity: 1), WaitGroup(1))
    await lock.lock()
    Task(name: "request") {
      started.done()
      await isAccepted.send(request(lock))
    }
    await started.wait()
    requests.append((lock, isAccepted))
  }
  if isMended {
    for request in requests { request.lock.unlock() }
    for request in requests { _ = await request.isAccepted.receive() }
  } else {
    for request in requests {
      request.lock.unlock()
      _ = await request.isAccepted.receive()
    }
  }
}

/// Notifications are popped with the lock until the end, and nobody can add one.
let kubernetes26980 = Kernel.tasks("kubernetes/26980", .mixed, "receives with lock") { isMended in
  let (lock, stop, result) = (TaskLock(), Channel<Never>(), Channel<Never>())
  let (changed, count) = (TaskCondition(lock), Counter())
  await lock.withLock {
    count.value += 1
    changed.broadcast()
  }
  Task(name: "popper") {
    await lock.lock()
    while count.value == 0 { await changed.wait() }
    if isMended { lock.unlock() }
    _ = await stop.receive()
    if !isMended { lock.unlock() }
  }
  Task(name: "adder") {
    await lock.withLock {}
    result.close()
  }
  _ = await result.receive()
  stop.close()
}

/// A pod's status is sent with the lock that the receiver takes for the one before.
let kubernetes10182 = Kernel.tasks("kubernetes/10182", .mixed, "sends with lock") { isMended in
  let (lock, statuses) = (TaskLock(), Channel<Bool>())
  Task(name: "syncer") {
    for _ in 1...2 {
      _ = await statuses.receive()
      await lock.withLock {}
    }
  }
  for _ in 1...2 {
    Task(name: "setter") {
      await lock.lock()
      if isMended { lock.unlock() }
      await statuses.send(true)
      if !isMended { lock.unlock() }
    }
  }
}

/// A frame is announced with the lock, to a monitor that takes the lock when the connection closes.
let kubernetes6632 = Kernel.tasks("kubernetes/6632", .mixed, "sends with lock") { isMended in
  let (lock, close, resets) = (TaskLock(), Channel<Bool>(), Channel<Bool>())
  let isClosed = Flag()
  Task(name: "helper") { await close.send(true) }
  Task(name: "monitor") {
    _ = await close.receive()
    if isMended { Task(name: "drain") { while await resets.receive() != nil {} } }
    await lock.withLock {
      resets.close()
      isClosed.set()
    }
  }
  Task(name: "writer") { await lock.withLock { if !isClosed.isSet { await resets.send(true) } } }
}
