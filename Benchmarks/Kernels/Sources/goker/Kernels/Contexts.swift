// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting

// MARK: - Cancelling that doesn't reach everybody

/// A connection that isn't returned isn't closed either, and tries to connect for ever.
///
/// The original's tries have no end: here, it waits after two.
let grpc862 = Kernel.tasks("grpc/862", .communication, "cancel forgotten") { isMended in
  func connect(_ context: Context) async {
    for _ in 1...2 {
      let isCancelled = await select(
        .receive(from: someTime()) { _ in false },
        .receive(from: context.done) { _ in true }
      )
      if isCancelled { return }
    }
    _ = await context.done.receive()
  }
  func dial(_ caller: Context) async {
    let connection = Context()
    Task(name: "connection") { await connect(Context(connection.token)) }
    _ = selectNow(.receive(from: caller.done) { _ in })
    // The original looks whether the caller has cancelled; it returns no connection, so it has none to close.
    if isMended { connection.cancel() }
  }
  let caller = Context()
  Task(name: "dialler") { await dial(caller) }
  Task(name: "caller") { caller.cancel() }
}

/// A timer, as Go's: a message when it fires, and `stop` says whether that comes too late.
private final class Timer: Sendable {
  let fired = Channel<Void>(capacity: 1)
  private let isRunning = Explored.Mutex(false)

  init() { start() }

  func start() {
    isRunning.withLock { $0 = true }
    Task(name: "timer") { if stop() { _ = selectNow(.send((), to: fired) {}) } }
  }

  func stop() -> Bool {
    isRunning.withLock { isRunning in
      defer { isRunning = false }
      return isRunning
    }
  }
}

/// The loop resets a timer that has fired, and waits for its message, which it has received before.
///
/// The original has 1,024 events: here, three.
let istio18454 = Kernel.tasks("istio/18454", .communication, "message received before") { isMended in
  final class Strategy: Sendable {
    let (context, resets) = (Context(), Channel<Void>(capacity: 1))
    let isStarted = Flag()

    func onChange(isMended: Bool) async {
      guard isStarted.take() else { return await resets.send(()) }
      let timer = Timer()
      Task(name: "strategy") { await run(timer, isMended: isMended) }
    }

    func run(_ timer: Timer, isMended: Bool) async {
      while true {
        let isReset = await select(
          .receive(from: timer.fired) { _ in Bool?.some(false) },
          .receive(from: resets) { _ in true },
          .receive(from: context.done) { _ in nil }
        )
        guard let isReset else { return }
        guard isReset else { continue }
        if !timer.stop() {
          if isMended { _ = selectNow(.receive(from: timer.fired) { _ in }) } else { _ = await timer.fired.receive() }
        }
        timer.start()
      }
    }
  }
  let (strategy, processor, events) = (Strategy(), Context(), Channel<Int>(capacity: 3))
  for event in 1...3 { await events.send(event) }
  Task(name: "processor") {
    while await select(.receive(from: processor.done) { _ in false }, .receive(from: events) { _ in true }) {
      await strategy.onChange(isMended: isMended)
    }
    strategy.context.cancel()
  }
  processor.cancel()
}

/// A restore that is cancelled stops reading; who sends to it isn't told.
///
/// The original's buffer takes six: here, one.
let cockroach18101 = Kernel.tasks("cockroach/18101", .communication, "sender isn't told") { isMended in
  let size = 1
  let context = Context()
  Task(name: "restore") {
    let spans = Channel<Bool>(capacity: size)
    Task(name: "splitter") {
      for index in 0..<size + 2 {
        if isMended {
          await select(.send(index != 0, to: spans) {}, .receive(from: context.done) { _ in })
        } else {
          await spans.send(index != 0)
        }
      }
      spans.close()
    }
    if await spans.receive() != nil { _ = await context.done.receive() }
  }
  Task(name: "caller") { context.cancel() }
}

/// The rows of a query aren't closed, and somebody waits for their cancellation.
let cockroach13755 = Kernel.tasks("cockroach/13755", .communication, "close forgotten") { isMended in
  let rows = Future(label: "rows")
  Task(name: "rows") { _ = await rows.outcome }
  if isMended { rows.cancel() }
}

/// A transaction is begun and dropped: who waits for its end waits for ever.
let cockroach13197 = Kernel.tasks("cockroach/13197", .communication, "rollback forgotten") { isMended in
  func begin() -> Future {
    let transaction = Future(label: "transaction")
    Task(name: "transaction") { _ = await transaction.outcome }
    return transaction
  }
  let transaction = begin()
  if isMended { transaction.cancel() }
}

/// Commands that are cancelled leave it to a task to drain their channels, some of which nobody sends to any more.
let cockroach10790 = Kernel.tasks("cockroach/10790", .communication, "drains for ever") { isMended in
  let (context, channels) = (Context(), [Channel<Bool>(), Channel<Bool>()])
  Task(name: "helper") {
    for channel in channels {
      let isSent = await select(
        .send(true, to: channel) { true },
        .receive(from: context.done) { _ in false }
      )
      if !isSent { return }
    }
  }
  Task(name: "commands") {
    for channel in channels {
      let isReceived = await select(
        .receive(from: channel) { _ in true },
        .receive(from: context.done) { _ in false }
      )
      if isReceived { continue }
      Task(name: "drain") {
        for channel in channels {
          if isMended {
            await select(.receive(from: channel) { _ in }, .receive(from: context.done) { _ in })
          } else {
            _ = await channel.receive()
          }
        }
      }
    }
  }
  Task(name: "caller") { context.cancel() }
}

/// A watch that has failed is stopped: it sends its result to nobody, and cancelling doesn't help.
let kubernetes25331 = Kernel.tasks("kubernetes/25331", .communication, "sender isn't told") { isMended in
  let (context, errors, results) = (Context(), Channel<String>(), Channel<Bool>())
  Task(name: "watch") {
    let error = await select(.receive(from: errors) { $0 }, .receive(from: context.done) { _ in nil })
    guard let error else { return }
    if isMended {
      await select(.send(error.isEmpty, to: results) {}, .receive(from: context.done) { _ in })
    } else {
      context.cancel()
      await results.send(error.isEmpty)
    }
  }
  Task(name: "stopper") {
    await errors.send("an error")
    context.cancel()
  }
}

/// A monitor is stopped while it probes, and the probe can't deliver.
///
/// The original probes until it is stopped: here, it waits for that after one probe.
let moby33781 = Kernel.tasks("moby/33781", .communication, "result after stop") { isMended in
  let stop = Channel<Bool>()
  func monitor() async {
    if await select(.receive(from: stop) { _ in true }, .receive(from: someTime()) { _ in false }) { return }
    let (results, probe) = (Channel<Bool>(capacity: isMended ? 1 : 0), Context())
    Task(name: "timeout") { probe.cancel() }
    Task(name: "probe") { await results.send(true) }
    enum Event { case stop, result, timeout }
    let event = await select(
      .receive(from: stop) { _ in Event.stop },
      .receive(from: results) { _ in .result },
      .receive(from: probe.done) { _ in .timeout }
    )
    probe.cancel()
    if event == .stop { return }
    if event == .timeout { _ = await results.receive() }
    _ = await stop.receive()
  }
  Task(name: "monitor") { await monitor() }
  Task(name: "stopper") { await stop.send(true) }
}
