// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Two events answer one continuation, or call one completion.

extension Kernel {
  static let resumedTwice: [Kernel] = [
    Kernel("meshtastic-1755", "meshtastic/Meshtastic-Apple#1755", "resumed first, forgotten after") { scene in
      let radio = Radio()
      scene.task("config") { try await radio.config(scene) }
      scene.task("packet") {
        await radio.isAsked.wait()
        radio.end(isMended: scene.isMended, .success(()))
      }
      scene.task("close") {
        await radio.isAsked.wait()
        radio.end(isMended: scene.isMended, .failure(CancellationError()))
      }
    },
    Kernel("livekit-633", "livekit/client-sdk-swift#633", "the state is read, and set later") { scene in
      let socket = WebSocket()
      scene.task("connect") { try await socket.connect(scene) }
      scene.task("did open") {
        await socket.isConnecting.wait()
        scene.isMended ? socket.mendedDidOpen() : socket.didOpen()
      }
      scene.task("did close") {
        await socket.isConnecting.wait()
        scene.isMended ? socket.mendedDidClose() : socket.didClose()
      }
    },
    Kernel("swift-cactus-31", "mhayes853/swift-cactus#31", "a cancelled waiter stays in the list") { scene in
      let download = ModelDownload()
      let waiter = scene.task("waiter") {
        try await scene.isMended ? download.mendedWait(scene) : download.wait(scene)
      }.cancellable
      scene.task("user") { waiter.cancel() }
      scene.task("network") { download.finish() }
    },
    Kernel("kingfisher-1911", "onevcat/Kingfisher#1911", "a finished task is cancelled, and calls back") { scene in
      let calls = Box(0)
      let task = DownloadTask { calls.withLock { $0 += 1 } }
      scene.thread("session") { scene.isMended ? task.mendedEnd() : task.complete() }
      scene.thread("user") { scene.isMended ? task.mendedEnd() : task.cancel() }
      scene.atEnd { calls.value == 1 ? nil : "called \(calls.value) times" }
    },
    Kernel("mullvad-6045", "mullvad/mullvadvpn-app#6045", "a timer fires and is cancelled") { scene in
      let sleep = scene.task("sleep") {
        try await scene.isMended ? mendedSleep(scene) : timerSleep(scene)
      }.cancellable
      scene.task("user") {
        try await Task.sleep(for: .milliseconds(1))
        sleep.cancel()
      }
    },
    Kernel("openusage-1059", "robinebers/openusage#1059", "first of two, by a plain Bool") { scene in
      let (isDone, lock, calls) = (Cell(false), Box(()), Box(0))
      @Sendable func finish() {
        guard !isDone.value else { return }
        isDone.value = true
        calls.withLock { $0 += 1 }
      }
      @Sendable func mendedFinish() {
        let isFirst = lock.withLock { _ in
          defer { isDone.value = true }
          return !isDone.value
        }
        if isFirst { calls.withLock { $0 += 1 } }
      }
      for name in ["probe", "timeout"] { scene.thread(name) { scene.isMended ? mendedFinish() : finish() } }
      scene.atEnd { calls.value == 1 ? nil : "\(calls.value) won" }
    },
  ]
}

/// The configuration of a radio comes, or the connection is closed.
private final class Radio: Sendable {
  let isAsked = Signal()
  private let continuation = Box(Answer<Void>?.none)

  func config(_ scene: Scene) async throws {
    try await withAnswer(scene) {
      continuation.value = $0
      isAsked.give()
    }
  }

  func end(isMended: Bool, _ result: Result<Void, any Error>) {
    if isMended { return continuation.take()?.resume(with: result) ?? () }
    continuation.value?.resume(with: result)
    continuation.value = nil
  }
}

/// A socket's delegate tells of its opening and of its closing, on queues of their own.
private final class WebSocket: Sendable {
  private enum State {
    case idle, open, closed
    case connecting(Answer<Void>)
  }

  let isConnecting = Signal()
  private let state = Box(State.idle)

  func connect(_ scene: Scene) async throws {
    try await withAnswer(scene) { answer in
      state.value = .connecting(answer)
      isConnecting.give()
    }
  }

  func didOpen() {
    guard case .connecting(let answer) = state.value else { return }
    state.value = .open
    answer.resume()
  }

  func didClose() {
    if case .connecting(let answer) = state.value { answer.resume(throwing: CancellationError()) }
    state.value = .closed
  }

  private func move(to new: State) -> Answer<Void>? {
    state.withLock { state in
      defer { state = new }
      guard case .connecting(let answer) = state else { return nil }
      return answer
    }
  }

  func mendedDidOpen() { move(to: .open)?.resume() }
  func mendedDidClose() { move(to: .closed)?.resume(throwing: CancellationError()) }
}

/// Waiters for a download: who is cancelled gets an error at once, and the result later.
private final class ModelDownload: Sendable {
  private struct State {
    var isFinished = false
    var isCancelled = false
    var waiter: Answer<Void>?
  }

  private let state = Box(State())

  func wait(_ scene: Scene) async throws {
    try await waiting(scene) { state.withLock { $0.waiter }?.resume(throwing: CancellationError()) }
  }

  func mendedWait(_ scene: Scene) async throws {
    try await waiting(scene) {
      let waiter = state.withLock { state in
        state.isCancelled = true
        return state.waiter.take()
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func waiting(_ scene: Scene, onCancel: @Sendable () -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withAnswer(scene) { answer in
        let isOver = state.withLock { state in
          if !state.isFinished, !state.isCancelled { state.waiter = answer }
          return state.isFinished || state.isCancelled
        }
        if isOver { answer.resume() }
      }
    } onCancel: {
      onCancel()
    }
  }

  func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      return state.waiter.take()
    }
    waiter?.resume()
  }
}

/// A task of a downloader.
///
/// Its cancellation doesn't ask whether it has ended.
private final class DownloadTask: Sendable {
  private let callback: Box<(@Sendable () -> Void)?>

  init(callback: @escaping @Sendable () -> Void) { self.callback = Box(callback) }

  func complete() {
    callback.value?()
    callback.value = nil
  }

  func cancel() { callback.value?() }

  func mendedEnd() { callback.take()?() }
}

/// Sleeps by a timer: its event resumes, and so does the cancellation.
private func timerSleep(_ scene: Scene) async throws {
  let box = Box(Answer<Void>?.none)
  try await withTaskCancellationHandler {
    try await withAnswer(scene) { answer in
      box.value = answer
      Task {
        try await Task.sleep(for: .milliseconds(1))
        answer.resume()
      }
    }
  } onCancel: {
    box.value?.resume(throwing: CancellationError())
  }
}

private func mendedSleep(_ scene: Scene) async throws {
  let box = Box(Answer<Void>?.none)
  try await withTaskCancellationHandler {
    try await withAnswer(scene) { answer in
      box.value = answer
      Task {
        try await Task.sleep(for: .milliseconds(1))
        box.take()?.resume()
      }
    }
  } onCancel: {
    box.take()?.resume(throwing: CancellationError())
  }
}
