// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// MARK: - A loop at the other side of a channel that ends, or waits itself

/// The agent ends when no proxy is active; one that is restarted then has nobody to tell its exit.
///
/// The wait until the old proxy is live, which ends by a timer in any case, is left out.
let istio17860 = Kernel.tasks("istio/17860", .communication, "exit nobody hears") { isMended in
  final class Agent: Sendable {
    let (exits, ended) = (Channel<Int>(), Channel<Never>())
    let epochs = Explored.Mutex((current: 0, active: Set<Int>()))

    func run(until stop: Channel<Never>) async {
      var isActive = true
      while isActive {
        let epoch = await select(.receive(from: exits) { $0 }, .receive(from: stop) { _ in nil })
        guard let epoch else { break }
        isActive = epochs.withLock { epochs in
          epochs.active.remove(epoch)
          return !epochs.active.isEmpty
        }
      }
      ended.close()
    }

    func restart(isMended: Bool) {
      let epoch = epochs.withLock { epochs in
        epochs.current += 1
        epochs.active.insert(epochs.current)
        return epochs.current
      }
      Task(name: "proxy") {
        if isMended {
          await select(.send(epoch, to: exits) {}, .receive(from: ended) { _ in })
        } else {
          await exits.send(epoch)
        }
      }
    }
  }
  let (agent, stop) = (Agent(), Channel<Never>())
  Task(name: "agent") { await agent.run(until: stop) }
  agent.restart(isMended: isMended)
  Task(name: "restarter") { agent.restart(isMended: isMended) }
  stop.close()
}

/// A message makes the model close the connection, and closing waits for the loop that gave it the message.
let syncthing5795 = Kernel.tasks("syncthing/5795", .communication, "loop awaits itself") { isMended in
  final class Connection: Sendable {
    let (inbox, closed, stopped) = (Channel<String>(), Channel<Never>(), Channel<Never>())
    let closing = Once()

    func dispatch(isMended: Bool) async {
      while await select(.receive(from: inbox) { _ in true }, .receive(from: closed) { _ in false }) {
        if isMended { Task(name: "closer") { await close() } } else { await close() }
      }
      stopped.close()
    }

    func close() async {
      await closing.run {
        closed.close()
        _ = await stopped.receive()
      }
    }
  }
  let connection = Connection()
  Task(name: "dispatcher") { await connection.dispatch(isMended: isMended) }
  await connection.inbox.send("configuration")
  _ = await connection.stopped.receive()
}

/// One loop sends an event whose receiver sends a callback back, to a loop that is about to send the next event.
///
/// The original's loops have no end: here, the first one stops the other after two rounds. Mended, events have a queue.
let cockroach2448 = Kernel.tasks("cockroach/2448", .communication, "each sends to other") { isMended in
  let (events, callbacks) = (Channel<Int>(capacity: isMended ? 2 : 0), Channel<Int>())
  let stop = Channel<Never>()
  Task(name: "store") {
    while await select(.receive(from: events) { _ in true }, .receive(from: stop) { _ in false }) {
      await select(.send(0, to: callbacks) {}, .receive(from: stop) { _ in })
    }
  }
  Task(name: "state") {
    for _ in 1...2 where selectNow(.receive(from: callbacks, { _ in })) == nil {
      await select(.send(0, to: events) {}, .receive(from: stop) { _ in })
    }
    stop.close()
  }
}

/// What is polled for is there, but the poller isn't told that nobody waits any more.
///
/// The original's poller ends by itself after 20,000 rounds: here, after three.
let kubernetes70277 = Kernel.tasks("kubernetes/70277", .communication, "stop that never comes") { isMended in
  func poll(until done: Channel<Never>) -> Channel<Void> {
    let ticks = Channel<Void>()
    Task(name: "poller") {
      for _ in 1...3 {
        try? await Task.sleep(for: .milliseconds(1))
        if selectNow(.receive(from: done) { _ in }) != nil { break }
        _ = selectNow(.send((), to: ticks) {})
      }
      ticks.close()
    }
    return ticks
  }
  func wait(_ stop: Channel<Never>) async -> Channel<Never> {
    let done = isMended ? Channel<Never>() : stop
    _ = await poll(until: done).receive()
    // The condition holds at the first look.
    if isMended { done.close() }
    return done
  }
  let stop = Channel<Never>()
  let done = await wait(stop)
  _ = await done.receive()
  stop.close()
}

/// A watcher that is stopped at once still has its first events to send.
let kubernetes38669 = Kernel.tasks("kubernetes/38669", .communication, "events nobody wants") { isMended in
  final class Watcher: Sendable {
    let (input, results, stopped) = (Channel<Int>(), Channel<Int>(), Channel<Never>())
    let stopping = Flag()

    func process(_ first: [Int], isMended: Bool) async {
      for event in first {
        if isMended {
          await select(.send(event, to: results) {}, .receive(from: stopped) { _ in })
        } else {
          await results.send(event)
        }
      }
      while await input.receive() != nil {}
      stop()
      results.close()
    }

    func stop() {
      guard stopping.take() else { return }
      stopped.close()
      input.close()
    }
  }
  let watcher = Watcher()
  Task(name: "watcher") { await watcher.process([1, 2], isMended: isMended) }
  watcher.stop()
}

/// A test that consumes progress stops when it has seen what it wants, and then the transfer can't be released.
///
/// With one transfer; the original has three.
let moby21233 = Kernel.tasks("moby/21233", .communication, "consumer that leaves") { isMended in
  let (progress, seen) = (Channel<Int>(), Channel<Never>())
  let (release, ended) = (Channel<Never>(), Channel<Never>())
  Task(name: "consumer") {
    while await progress.receive() != nil {
      // Mended, it reads on.
      if either(), !isMended { return }
    }
    seen.close()
  }
  Task(name: "transfer") {
    if either() { await progress.send(1) }
    _ = await release.receive()
    if either() { await progress.send(2) }
    ended.close()
  }
  release.close()
  _ = await ended.receive()
  progress.close()
  _ = await seen.receive()
}
