// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A task waits, and whoever would have resumed it has come and gone.

extension Kernel {
  static let neverResumed: [Kernel] = [
    Kernel("swiftpm-8721", "swiftlang/swift-package-manager#8721", "cancelled between check and store") { scene in
      let gate = Waiters()
      let waiter = scene.task("waiter") {
        try await scene.isMended ? gate.mendedWait() : gate.wait()
      }.cancellable
      scene.task("user") { waiter.cancel() }
    },
    Kernel("async-algorithms-80", "apple/swift-async-algorithms#80", "a send is cancelled before it is stored") {
      scene in
      let channel = Channel()
      let sender = scene.task("sender") { await channel.send(isMended: scene.isMended) }.cancellable
      scene.task("user") { sender.cancel() }
    },
    Kernel("swift-nio-3453", "apple/swift-nio#3453", "the lock is dropped, and taken again too late") { scene in
      let writer = Writer()
      let yield = scene.task("yield") {
        try await scene.isMended ? writer.mendedYield() : writer.yield()
      }.cancellable
      scene.task("user") { yield.cancel() }
    },
    Kernel("postgres-nio-listen", "vapor/postgres-nio@46b2b3d", "the channel is closed, the write fails unheard") {
      scene in
      let connection = PostgresConnection()
      scene.task("listen") { try await connection.write(isMended: scene.isMended) }
      scene.task("close") { await connection.close() }
    },
    Kernel("postgres-nio-idle-timer", "vapor/postgres-nio@820771e", "a new timer replaces the old one's waiter") {
      scene in
      let timers = TimerWaiters()
      scene.task("old timer") { await timers.wait(isMended: scene.isMended) }
      scene.task("new timer") { await timers.wait(isMended: scene.isMended) }
      scene.task("lease") {
        await timers.isWaiting.wait()
        await timers.isWaitingAgain.wait()
        await timers.cancel()
      }
    },
    Kernel("meta-wearables-61", "facebook/meta-wearables-dat-ios#61", "two stops, one place for a waiter") { scene in
      let session = DeviceSession()
      scene.task("screen") { await session.stop(isMended: scene.isMended) }
      scene.task("app") { await session.stop(isMended: scene.isMended) }
    },
    Kernel("ahc-deadline", "swift-server/async-http-client@aa66da8", "the deadline fails a request twice") { scene in
      let transaction = Transaction()
      scene.task("caller") { try? await transaction.response(scene) }
      scene.task("deadline") {
        await transaction.isQueued.wait()
        await transaction.deadlineExceeded()
      }
      scene.task("pool") {
        await transaction.isQueued.wait()
        await transaction.willExecute(isMended: scene.isMended)
        await transaction.willExecute(isMended: scene.isMended)
      }
    },
    Kernel("async-algorithms-share", "apple/swift-async-algorithms@2de5003", "waits for room in a buffer of none") {
      scene in
      let share = Share(limit: 0)
      scene.task("iteration") { await share.iterate(isMended: scene.isMended) }
      scene.task("consumer") { await share.next() }
    },
  ]
}

/// A check for a cancellation, and then a store: what comes in between finds nobody.
private final class Waiters: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, any Error>?
    var isCancelled = false
  }

  private let state = Box(State())

  private func cancel() {
    let waiter = state.withLock { state in
      state.isCancelled = true
      return state.waiter.take()
    }
    waiter?.resume(throwing: CancellationError())
  }

  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        state.withLock { $0.waiter = continuation }
      }
    } onCancel: {
      cancel()
    }
  }

  func mendedWait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.waiter = continuation }
          return state.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      cancel()
    }
  }
}

/// A channel whose cancellation, if it comes first, leaves no trace for the send that follows.
private final class Channel: Sendable {
  private enum Send {
    case waiting(CheckedContinuation<Void, Never>)
    case cancelled
  }

  private let sends = Box([Int: Send]())

  func send(isMended: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = sends.withLock { sends in
          if case .cancelled = sends[1] { return true }
          sends[1] = .waiting(continuation)
          return false
        }
        if isCancelled { continuation.resume() }
      }
    } onCancel: {
      let waiting = sends.withLock { sends in
        let send = sends.removeValue(forKey: 1)
        if send == nil, isMended { sends[1] = .cancelled }
        return send
      }
      if case .waiting(let continuation) = waiting { continuation.resume() }
    }
  }
}

/// A writer that no longer holds its lock while it suspends: it drops it, and takes it again to store its continuation.
private final class Writer: Sendable {
  private enum State {
    case idle, yielding, cancelled
    case suspended(CheckedContinuation<Void, any Error>)
  }

  private let state = Box(State.idle)

  func yield() async throws {
    try await withTaskCancellationHandler {
      let mustSuspend = state.withLock { state in
        if case .cancelled = state { return false }
        state = .yielding
        return true
      }
      guard mustSuspend else { throw CancellationError() }
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0 = .suspended(continuation) }
      }
    } onCancel: {
      cancel()
    }
  }

  func mendedYield() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if case .cancelled = state { return true }
          state = .suspended(continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    let old = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    if case .suspended(let continuation) = old { continuation.resume(throwing: CancellationError()) }
  }
}

/// A connection on which a command is written.
///
/// If it has been closed, the write fails, and nobody asked for that.
private actor PostgresConnection {
  private var isClosed = false
  private var pending: [CheckedContinuation<Void, any Error>] = []

  nonisolated func write(isMended: Bool) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Task {
        let isWritten = await self.enqueue(continuation)
        if !isWritten, isMended { continuation.resume(throwing: CancellationError()) }
      }
    }
  }

  private func enqueue(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    if !isClosed { pending.append(continuation) }
    return !isClosed
  }

  func close() {
    isClosed = true
    for continuation in pending { continuation.resume(throwing: CancellationError()) }
    pending = []
  }
}

/// An idle timer waits to be cancelled.
///
/// The next one takes its place.
private actor TimerWaiters {
  nonisolated let isWaiting = Signal()
  nonisolated let isWaitingAgain = Signal()
  private var waiter: CheckedContinuation<Void, Never>?
  private var count = 0

  func wait(isMended: Bool) async {
    await withCheckedContinuation { continuation in
      if isMended { waiter?.resume() }
      waiter = continuation
      count += 1
      (count == 1 ? isWaiting : isWaitingAgain).give()
    }
  }

  func cancel() { waiter.take()?.resume() }
}

/// Whoever stops a session waits until it has stopped; it keeps one who waits.
private actor DeviceSession {
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isStopped = false

  func stop(isMended: Bool) async {
    if isStopped { return }
    if waiters.isEmpty { Task { self.didStop() } }
    await withCheckedContinuation { continuation in
      if !isMended { waiters = [] }
      waiters.append(continuation)
    }
  }

  private func didStop() {
    isStopped = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// A request in a queue.
///
/// Its deadline stores the error, and the next event fails it and leaves it in that state.
private actor Transaction {
  private enum State {
    case initialized, finished, executing
    case queued(Answer<Void>)
    case deadlineExceeded(Answer<Void>)
  }

  nonisolated let isQueued = Signal()
  private var state = State.initialized

  func response(_ scene: Scene) async throws {
    try await withAnswer(scene) { answer in
      state = .queued(answer)
      isQueued.give()
    }
  }

  func deadlineExceeded() { if case .queued(let answer) = state { state = .deadlineExceeded(answer) } }

  func willExecute(isMended: Bool) {
    switch state {
    case .queued(let answer):
      state = .executing
      answer.resume()
    case .deadlineExceeded(let answer):
      if isMended { state = .finished }
      answer.resume(throwing: CancellationError())
    case .initialized, .executing, .finished: break
    }
  }
}

/// A shared sequence that produces only while there is room, which a buffer of none never has.
private actor Share {
  private let limit: Int
  private var consumer: CheckedContinuation<Void, Never>?
  private var roomWaiter: CheckedContinuation<Void, Never>?
  private var isProduced = false

  init(limit: Int) { self.limit = limit }

  func iterate(isMended: Bool) async {
    if limit > 0 || !isMended { await withCheckedContinuation { roomWaiter = $0 } }
    isProduced = true
    consumer.take()?.resume()
  }

  func next() async {
    if isProduced { return }
    if limit > 0 { roomWaiter.take()?.resume() }
    await withCheckedContinuation { consumer = $0 }
  }
}
