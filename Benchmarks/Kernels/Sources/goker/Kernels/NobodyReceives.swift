// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A channel on which the other side is gone

private struct Failure: Error {}

/// What is started returns its error over a channel, which the caller ignores.
let moby4395 = Kernel.tasks("moby/4395", .communication, "result nobody wants") { isMended in
  func go(_ work: @escaping @Sendable () -> Failure) -> Channel<Failure> {
    let result = Channel<Failure>(capacity: isMended ? 1 : 0)
    Task(name: "work") { await result.send(work()) }
    return result
  }
  _ = go { Failure() }
}

/// The error is sent before the channel is returned on which it could be received.
let moby33293 = Kernel.tasks("moby/33293", .communication, "sends to itself") { isMended in
  func wait() async -> Channel<Failure> {
    let errors = Channel<Failure>(capacity: isMended ? 1 : 0)
    if either() { await errors.send(Failure()) }
    return errors
  }
  Task(name: "caller") { _ = await wait() }
}

/// The request's handler outlives the timeout, and then nobody receives what it answers.
let kubernetes5316 = Kernel.tasks("kubernetes/5316", .communication, "result after timeout") { isMended in
  let (answers, errors) = (Channel<Bool>(capacity: isMended ? 1 : 0), Channel<Failure>(capacity: isMended ? 1 : 0))
  let timeout = someTime()
  Task(name: "handler") { if either() { await errors.send(Failure()) } else { await answers.send(true) } }
  await select(
    .receive(from: answers) { _ in },
    .receive(from: errors) { _ in },
    .receive(from: timeout) { _ in }
  )
}

/// A benchmark's client is stopped while a request is under way, whose end is then awaited by nobody.
let grpc660 = Kernel.tasks("grpc/660", .communication, "result after stop") { isMended in
  let stop = Channel<Bool>()
  let loop = Task(name: "client") {
    // The original's loop has no end: here, two requests, and then the stop.
    for _ in 1...2 {
      let done = Channel<Bool>(capacity: isMended ? 1 : 0)
      Task(name: "request") { await done.send(either()) }
      let isStopped = await select(.receive(from: stop) { _ in true }, .receive(from: done) { _ in false })
      if isStopped { return }
    }
    _ = await stop.receive()
  }
  await stop.send(true)
  await loop.value
}

/// The stream is closed without a message to its reader, who waits for one.
let grpc1275 = Kernel.tasks("grpc/1275", .communication, "close without message") { isMended in
  let (received, done) = (Channel<Bool>(), Channel<Never>())
  Task(name: "reader") {
    _ = await received.receive()
    done.close()
  }
  // Closes the stream.
  if isMended { received.close() }
  await select(.receive(from: done) { _ in }, .receive(from: someTime()) { _ in })
}

/// The watcher of addresses ends without telling the one who waits for its first round.
let grpc1424 = Kernel.tasks("grpc/1424", .communication, "end without message") { isMended in
  let (addresses, waiting) = (Channel<Bool>(), Channel<Failure>(capacity: 1))
  func watch(_ done: Channel<Bool>) async {
    while await addresses.receive() != nil {}
    if isMended { done.close() }
  }
  Task(name: "dialler") {
    let done = Channel<Bool>()
    Task(name: "watcher") { await watch(done) }
    _ = await done.receive()
    waiting.close()
  }
  addresses.close()
}

/// A node that has been stopped is asked for its status.
let etcd6857 = Kernel.tasks("etcd/6857", .communication, "asks after stop") { isMended in
  final class Node: Sendable {
    let (requests, stop, done) = (Channel<Channel<Int>>(), Channel<Void>(), Channel<Never>())

    func run() async {
      while true {
        let request = await select(.receive(from: requests) { $0 }, .receive(from: stop) { _ in nil })
        guard let request else { return done.close() }
        await request.send(1)
      }
    }

    func status(isMended: Bool) async -> Int? {
      let answer = Channel<Int>()
      guard isMended else {
        await requests.send(answer)
        return await answer.receive()
      }
      let isAsked = await select(.send(answer, to: requests) { true }, .receive(from: done) { _ in false })
      return isAsked ? await answer.receive() : nil
    }

    func shutDown() async {
      let isTold = await select(.send((), to: stop) { true }, .receive(from: done) { _ in false })
      if isTold { _ = await done.receive() }
    }
  }
  let node = Node()
  Task(name: "node") { await node.run() }
  Task(name: "asker") { _ = await node.status(isMended: isMended) }
  Task(name: "stopper") { await node.shutDown() }
}

/// A flow is cancelled by a message to each of its streams, and nobody reads from one whose buffer is full.
let cockroach35931 = Kernel.tasks("cockroach/35931", .communication, "full buffer") { isMended in
  let (left, right) = (Channel<Int>(capacity: 1), Channel<Int>(capacity: 1))
  await left.send(1)
  func cancel() async {
    for stream in [left, right] {
      // Mended, whoever waits for the stream is told by another task.
      if isMended { Task(name: "closer") { stream.close() } } else { await stream.send(0) }
    }
  }
  await cancel()
}

/// Rows are pushed to an outbox that has ended without draining its channel, or saying that it is closed.
///
/// The original's buffer takes 16 rows: here, two.
let cockroach35073 = Kernel.tasks("cockroach/35073", .communication, "full buffer") { isMended in
  final class Outbox: Sendable {
    let (rows, isClosed) = (Channel<Int>(capacity: 2), Flag())

    func push() async {
      if !isClosed.isSet { await rows.send(0) }
    }

    func close() {
      isClosed.set()
      while selectNow(.receive(from: rows) { $0 != nil }) == true {}
    }
  }
  let (outbox, blocked, ended) = (Outbox(), WaitGroup(1), WaitGroup(1))
  for _ in 1...2 { await outbox.push() }
  Task(name: "pusher") {
    await outbox.push()
    blocked.done()
  }
  Task(name: "outbox") {
    if isMended { outbox.close() }
    ended.done()
  }
  await ended.wait()
  await outbox.push()
}

/// The queue is processed until the stopper stops, which nobody does.
let cockroach25456 = Kernel.tasks("cockroach/25456", .communication, "stop that never comes") { isMended in
  let quiesce = Channel<Never>()
  func process() async { _ = await quiesce.receive() }
  if isMended { Task(name: "stopper") { quiesce.close() } }
  for _ in 1...2 { await process() }
}

/// The compactor is woken twice before it starts, and its channel takes one wake-up.
let cockroach24808 = Kernel.tasks("cockroach/24808", .communication, "full buffer") { isMended in
  let (wakeUps, stop) = (Channel<Void>(capacity: 1), Channel<Never>())
  func wake() async {
    // Mended, a wake-up is dropped when there is one already.
    if isMended { _ = selectNow(.send((), to: wakeUps) {}) } else { await wakeUps.send(()) }
  }
  await wake()
  await wake()
  Task(name: "compactor") {
    var isStopped = false
    while !isStopped {
      isStopped = await select(.receive(from: stop) { _ in true }, .receive(from: wakeUps) { _ in false })
    }
  }
  stop.close()
}
