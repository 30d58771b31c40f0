// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The cancellation comes before there is anything to cancel, and nobody remembers it.

extension Kernel {
  static let lostCancellations: [Kernel] = [
    Kernel("wordpress-rs-1518", "Automattic/wordpress-rs#1518", "the handle is stored after the start") { scene in
      let transfer = Transfer()
      let post = scene.task("post") {
        _ = try await scene.isMended ? mendedPost(transfer) : naivePost(transfer)
      }.cancellable
      scene.task("user") { post.cancel() }
    },
    Kernel("asynccompat-8", "JohnSundell/AsyncCompatibilityKit#8", "checked before the handler is there") { scene in
      let (transfer, loader) = (Transfer(), DataLoader())
      let load = scene.task("load") {
        _ = try await scene.isMended ? loader.mendedData(transfer) : loader.data(transfer)
      }.cancellable
      scene.task("user") { load.cancel() }
    },
    Kernel("sourcekit-lsp-cancel-id", "swiftlang/sourcekit-lsp@b41f6af", "the id is known after the send") { scene in
      let connection = Connection()
      let request = scene.task("request") {
        try await scene.isMended ? connection.mendedSend() : connection.send()
      }.cancellable
      scene.task("editor") { request.cancel() }
    },
    Kernel("sourcekit-lsp-scheduler", "swiftlang/sourcekit-lsp@47a940d", "cancelled before its task is known") {
      scene in
      let queued = QueuedTask()
      scene.task("scheduler") { await queued.execute(scene.isMended ? .mended : .original) }
      let result = scene.task("result") { await queued.result() }.cancellable
      scene.task("user") { result.cancel() }
    },
    Kernel("sourcekit-lsp-scheduler-2", "swiftlang/sourcekit-lsp@5f8f165", "the fix, between two handlers") { scene in
      let queued = QueuedTask()
      scene.task("scheduler") { await queued.execute(scene.isMended ? .mended : .published) }
      let result = scene.task("result") { await queued.result() }.cancellable
      scene.task("user") { result.cancel() }
    },
    Kernel("vital-ios-46", "tryVital/vital-ios#46", "a query is stopped before it is executed") { scene in
      let store = HealthStore()
      let samples = scene.task("samples") {
        try await scene.isMended ? store.mendedSamples() : store.samples()
      }.cancellable
      scene.task("user") { samples.cancel() }
    },
    Kernel("sdwebimage-1031", "SDWebImage/SDWebImage#1031", "the block is set after the cancel") { scene in
      let (operation, stopped) = (ImageOperation(), Box(false))
      scene.thread("loader") {
        if scene.isMended {
          operation.setMended { stopped.value = true }
        } else {
          operation.set { stopped.value = true }
        }
      }
      scene.thread("user") { operation.cancel() }
      scene.atEnd { stopped.value ? nil : "the download goes on" }
    },
    Kernel("nuke-671", "kean/Nuke#671", "the callback of the cancel is set too late") { scene in
      let pipeline = ImagePipeline()
      let image = scene.task("image") {
        try await scene.isMended ? pipeline.mendedImage() : pipeline.image()
      }.cancellable
      scene.task("user") { image.cancel() }
    },
    Kernel("grdb-cancel-next", "groue/GRDB.swift@2151283", "the cancel hits whoever came after") { scene in
      let database = SerializedDatabase()
      let first = scene.task("first") {
        try? await scene.isMended ? database.mendedRead() : database.read()
      }.cancellable
      scene.task("user") { first.cancel() }
      scene.task("second") {
        do { try await scene.isMended ? database.mendedRead() : database.read() } catch {
          scene.fail("nobody cancelled the second one")
        }
      }
    },
  ]
}

/// A mutation whose task is stored after it was resumed: a cancel that comes earlier finds nothing.
private func naivePost(_ transfer: Transfer) async throws -> String {
  let box = Box(Transfer?.none)
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      transfer.resume { continuation.resume(with: $0) }
      box.value = transfer
    }
  } onCancel: {
    box.value?.cancel()
  }
}

private func mendedPost(_ transfer: Transfer) async throws -> String {
  let box = Box(Transfer?.none)
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      transfer.resume { continuation.resume(with: $0) }
      box.value = transfer
      if Task.isCancelled { transfer.cancel() }
    }
  } onCancel: {
    box.value?.cancel()
  }
}

/// A back-port of `URLSession.data(for:)`.
///
/// It checks for a cancellation first, and is cancelled after that.
private final class DataLoader: Sendable {
  private struct State {
    var transfer: Transfer?
    var isCancelled = false
  }

  private let state = Box(State())

  func data(_ transfer: Transfer) async throws -> String {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.transfer = transfer }
        transfer.resume { continuation.resume(with: $0) }
      }
    } onCancel: {
      state.withLock { $0.transfer }?.cancel()
    }
  }

  func mendedData(_ transfer: Transfer) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          state.transfer = transfer
          return state.isCancelled
        }
        if isCancelled { transfer.cancel() }
        transfer.resume { continuation.resume(with: $0) }
      }
    } onCancel: {
      let transfer = state.withLock { state in
        state.isCancelled = true
        return state.transfer
      }
      transfer?.cancel()
    }
  }
}

/// A connection of a language server.
///
/// The id, with which a request can be cancelled, is returned by the send.
private final class Connection: Sendable {
  private let replies = Box([Int: @Sendable (Result<Void, any Error>) -> Void]())

  private func send(reply: @escaping @Sendable (Result<Void, any Error>) -> Void) -> Int {
    replies.withLock { replies in
      replies[replies.count + 1] = reply
      return replies.count
    }
  }

  private func cancel(_ id: Int) { replies.withLock { $0.removeValue(forKey: id) }?(.failure(CancellationError())) }

  func send() async throws {
    let id = Box(Int?.none)
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      try await withCheckedThrowingContinuation { continuation in
        id.value = send { continuation.resume(with: $0) }
      }
    } onCancel: {
      if let id = id.value { cancel(id) }
    }
  }

  func mendedSend() async throws {
    let id = Box(Int?.none)
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      try await withCheckedThrowingContinuation { continuation in
        id.value = send { continuation.resume(with: $0) }
        if Task.isCancelled, let id = id.take() { cancel(id) }
      }
    } onCancel: {
      if let id = id.take() { cancel(id) }
    }
  }
}

/// A task that a scheduler executes later.
///
/// Who awaits its result, and is cancelled, leaves the stream that would have told which task that is; and that one has
/// looked before. The published fix looks again after the yield, but the handler of the stream runs before the one that
/// sets the flag: an execution that begins between the two goes on.
private final class QueuedTask: Sendable {
  enum Version { case original, published, mended }

  private let (created, creation) = AsyncStream<Task<Void, Never>>.makeStream()
  private let isResultCancelled = Box(false)

  func result() async {
    await withTaskCancellationHandler {
      for await task in created {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
        return
      }
    } onCancel: {
      isResultCancelled.value = true
    }
  }

  func execute(_ version: Version) async {
    let task = Task { [isResultCancelled] in
      if !isResultCancelled.value { await untilCancelled() }
    }
    let yielded = creation.yield(task)
    switch version {
    case .original: break
    case .published: if isResultCancelled.value { task.cancel() }
    case .mended: if case .terminated = yielded { task.cancel() }
    }
    await task.value
  }
}

/// Queries of HealthKit: to stop one that wasn't executed yet does nothing.
private final class HealthStore: Sendable {
  private let ends = Box([Int: @Sendable () -> Void]())

  private func execute(_ query: Int, end: @escaping @Sendable () -> Void) { ends.withLock { $0[query] = end } }
  private func stop(_ query: Int) { ends.withLock { $0.removeValue(forKey: query) }?() }

  func samples() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        execute(1) { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      stop(1)
    }
  }

  func mendedSamples() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        execute(1) { continuation.resume(throwing: CancellationError()) }
        if Task.isCancelled { stop(1) }
      }
    } onCancel: {
      stop(1)
    }
  }
}

/// An operation that calls a block when it is cancelled, if it has one by then.
private final class ImageOperation: Sendable {
  private struct State {
    var isCancelled = false
    var block: (@Sendable () -> Void)?
  }

  private let state = Box(State())

  func set(_ block: @escaping @Sendable () -> Void) { state.withLock { $0.block = block } }

  func setMended(_ block: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.block = block }
      return state.isCancelled
    }
    if isCancelled { block() }
  }

  func cancel() {
    let block = state.withLock { state in
      defer { state = State(isCancelled: true) }
      return state.block
    }
    block?()
  }
}

/// A pipeline for images.
///
/// Its queue doesn't start what was cancelled before, and the callback, which would resume the caller, wasn't there
/// when that happened.
private actor ImagePipeline {
  private var isCancelled = false
  private var onCancel: (@Sendable () -> Void)?

  private func cancel() {
    isCancelled = true
    onCancel?()
  }

  private func set(_ callback: @escaping @Sendable () -> Void) { onCancel = callback }

  private func start(_ callback: @escaping @Sendable () -> Void) {
    if isCancelled { callback() } else { onCancel = callback }
  }

  nonisolated func image() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Task { await self.set { continuation.resume(throwing: CancellationError()) } }
      }
    } onCancel: {
      Task { await self.cancel() }
    }
  }

  nonisolated func mendedImage() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Task { await self.start { continuation.resume(throwing: CancellationError()) } }
      }
    } onCancel: {
      Task { await self.cancel() }
    }
  }
}

/// One access to a database at a time.
///
/// The handler of the first one's cancellation interrupts what runs by then.
private final class SerializedDatabase: Sendable {
  private actor Queue {
    func run(_ body: @Sendable () throws -> Void) rethrows { try body() }
  }

  private let queue = Queue()
  private let isInterrupted = Box(false)

  private func statement() throws { if isInterrupted.value { throw CancellationError() } }

  func read() async throws {
    let cancel = Box((@Sendable () -> Void)?.none)
    try await withTaskCancellationHandler {
      try await queue.run {
        defer { isInterrupted.value = false }
        cancel.value = { [isInterrupted] in isInterrupted.value = true }
        try statement()
      }
    } onCancel: {
      cancel.value?()
    }
  }

  func mendedRead() async throws {
    let cancel = Box((@Sendable () -> Void)?.none)
    try await withTaskCancellationHandler {
      try await queue.run {
        defer {
          cancel.value = nil
          isInterrupted.value = false
        }
        cancel.value = { [isInterrupted] in isInterrupted.value = true }
        try statement()
      }
    } onCancel: {
      cancel.withLock { $0?() }
    }
  }
}
