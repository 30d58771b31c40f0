// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A permit, a value or a connection is given to somebody who has just been cancelled. (Other languages had these; the
// programs are what their authors would write in Swift.)

extension Kernel {
  static let permits: [Kernel] = [
    Kernel("kotlin-2233", "Kotlin/kotlinx.coroutines#2233", "a permit is granted, and thrown away") { scene in
      let semaphore = PermitSemaphore()
      let first = scene.task("first") {
        try await semaphore.acquire(isMended: scene.isMended)
        await semaphore.release()
      }.cancellable
      scene.task("second") {
        try await semaphore.acquire(isMended: scene.isMended)
        await semaphore.release()
      }
      scene.task("user") { first.cancel() }
      scene.afterwards { if await semaphore.permits != 1 { scene.fail("the permit is lost") } }
    },
    Kernel("vs-threading-521", "microsoft/vs-threading#521", "a cancelled waiter still counts") { scene in
      let semaphore = CountingSemaphore()
      let waiter = scene.task("waiter") { try await semaphore.wait(isMended: scene.isMended) }.cancellable
      scene.task("user") { waiter.cancel() }
      scene.task("owner") { semaphore.signal() }
      scene.atEnd { semaphore.isBalanced ? nil : "the count is \(semaphore.count)" }
    },
    Kernel("distributed-lock-120", "madelson/DistributedLock#120", "a cancelled wait consumes the signal") { scene in
      let event = AutoResetEvent()
      let waiter = scene.task("waiter") { try await event.wait(isMended: scene.isMended) }.cancellable
      scene.task("owner") { await event.set() }
      scene.task("user") { waiter.cancel() }
      scene.afterwards { if await !event.isSetOrHeard { scene.fail("the signal is lost") } }
    },
    Kernel("httpcomponents-309", "apache/httpcomponents-client#309", "leased to one who was cancelled") { scene in
      let pool = LeasePool()
      let request = scene.task("request") {
        let connection = try await pool.lease(isMended: scene.isMended)
        await pool.giveBack(connection)
      }.cancellable
      scene.task("user") { request.cancel() }
      scene.afterwards { if await pool.free != [1] { scene.fail("the connection is lost") } }
    },
    Kernel("moonbit-160", "moonbitlang/async#160", "a value is taken, and its taker cancelled") { scene in
      let queue = ValueQueue()
      let reader = scene.task("reader") { try await queue.read(isMended: scene.isMended) }.cancellable
      scene.task("writer") { await queue.write(1) }
      scene.task("user") { reader.cancel() }
      scene.afterwards { if await queue.readOrQueued != 1 { scene.fail("the value is lost") } }
    },
  ]
}

/// Grants a permit to who waits first, and looks for a cancellation after that.
private actor PermitSemaphore {
  private(set) var permits = 1
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func acquire(isMended: Bool) async throws {
    if permits > 0 { permits -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    guard Task.isCancelled else { return }
    if isMended { release() }
    throw CancellationError()
  }

  func release() {
    if waiting.isEmpty { permits += 1 } else { waiting.removeFirst().resume() }
  }
}

/// A semaphore that counts who waits below zero.
///
/// Who is cancelled leaves, and the count stays.
private final class CountingSemaphore: Sendable {
  private struct State {
    var count = 0
    var isCancelled = false
    var waiter: CheckedContinuation<Void, any Error>?
    var wasGranted = false
  }

  private let state = Box(State())

  var count: Int { state.value.count }
  /// One signal, and one who took it or left.
  var isBalanced: Bool { count == (state.value.wasGranted ? 0 : 1) }

  func wait(isMended: Bool) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.isCancelled { return .failure(CancellationError()) }
          state.count -= 1
          if state.count >= 0 {
            state.wasGranted = true
            return .success(())
          }
          state.waiter = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        if isMended, state.waiter != nil { state.count += 1 }
        return state.waiter.take()
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  func signal() {
    let waiter = state.withLock { state in
      state.count += 1
      let waiter = state.waiter.take()
      if waiter != nil { state.wasGranted = true }
      return waiter
    }
    waiter?.resume()
  }
}

/// An event that one waiter consumes.
private actor AutoResetEvent {
  private var isSet = false
  private var wasHeard = false
  private var waiter: CheckedContinuation<Void, Never>?

  var isSetOrHeard: Bool { isSet || wasHeard }

  func set() {
    if let waiter = waiter.take() { waiter.resume() } else { isSet = true }
  }

  func wait(isMended: Bool) async throws {
    if isSet { isSet = false } else { await withCheckedContinuation { waiter = $0 } }
    if Task.isCancelled {
      if isMended { set() }
      throw CancellationError()
    }
    wasHeard = true
  }
}

/// Connections for requests.
///
/// It takes one out, connects it, and finds the request cancelled.
private actor LeasePool {
  private(set) var free = [1]

  func lease(isMended: Bool) async throws -> Int {
    let connection = free.removeLast()
    await Task.yield()
    if Task.isCancelled {
      if isMended { free.append(connection) }
      throw CancellationError()
    }
    return connection
  }

  func giveBack(_ connection: Int) { free.append(connection) }
}

/// A queue that hands a value to its reader, who looks for a cancellation when it runs.
private actor ValueQueue {
  private var values: [Int] = []
  private var reader: CheckedContinuation<Int, Never>?
  private var readValues = 0

  var readOrQueued: Int { readValues + values.count }

  func write(_ value: Int) {
    if let reader = reader.take() { reader.resume(returning: value) } else { values.append(value) }
  }

  func read(isMended: Bool) async throws {
    let value = values.isEmpty ? await withCheckedContinuation { reader = $0 } : values.removeFirst()
    if Task.isCancelled {
      if isMended { values.insert(value, at: 0) }
      throw CancellationError()
    }
    readValues += 1
  }
}
