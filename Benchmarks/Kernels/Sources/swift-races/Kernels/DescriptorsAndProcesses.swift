// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

// Something is ended twice, or used when it has ended; and operations that are cancelled before they begin.

extension Kernel {
  static let descriptorsAndProcesses: [Kernel] = [
    Kernel("baoliandeng-44", "madeye/BaoLianDeng#44", "closed by the handler and by the deinit") { scene in
      let (system, relay) = (Descriptors(), Box(Int?.some(3)))
      let isActive = Box(true)
      @Sendable func close() {
        if isActive.value {
          isActive.value = false
          system.close(3)
        }
      }
      @Sendable func mendedClose() { if let descriptor: Int = relay.take() { system.close(descriptor) } }
      for name in ["cancel", "deinit"] { scene.thread(name) { scene.isMended ? mendedClose() : close() } }
      scene.atEnd { system.closes == 1 ? nil : "closed \(system.closes) times" }
    },
    Kernel("swift-sharing-172", "pointfreeco/swift-sharing#172", "closed before its source is cancelled") { scene in
      let (system, source) = (Descriptors(), FileSource())
      scene.task("source") { await source.handleEvents(system, isMended: scene.isMended) }
      scene.task("deinit") {
        source.cancel()
        if !scene.isMended { system.close(3) }
      }
      scene.atEnd { system.isMisused ? "the source reads a closed file" : nil }
    },
    Kernel("swift-subprocess-86", "swiftlang/swift-subprocess@b38fd2b", "a signal for a process that was reaped") {
      scene in
      let table = ProcessTable()
      scene.task("monitor") { if !scene.isMended { await table.reap() } }
      scene.task("body") { if await !table.signal() { scene.fail("a stranger got the signal") } }
      scene.afterwards { await table.reap() }
    },
    Kernel("swift-subprocess-93", "swiftlang/swift-subprocess@2988b8b", "a process id is looked up when it was reused")
    { scene in
      let table = ProcessTable()
      scene.task("system") { await table.reuse() }
      scene.task("monitor") {
        let status = await scene.isMended ? table.status(ofHandle: 0) : table.status(ofId: 7)
        if status != "ours" { scene.fail("the status of a stranger") }
      }
    },
    Kernel("toaster-123", "devxoul/Toaster#123", "cancelled before its start, it never finishes") { scene in
      let operation = Toast(isMended: scene.isMended)
      scene.task("queue") {
        operation.start()
        operation.timeUp()
      }
      scene.task("user") { operation.cancel() }
      scene.atEnd { operation.isFinished ? nil : "the operation never finishes" }
    },
    Kernel("advanced-operations-8", "kas-kad/AdvancedNSOperations#8", "a cancelled state can't become finished") {
      scene in
      let operation = StatefulOperation()
      scene.thread("queue") { operation.run(isMended: scene.isMended) }
      scene.thread("user") { operation.cancel(isMended: scene.isMended) }
      scene.atEnd { operation.isFinished ? nil : "the operation never finishes" }
    },
    Kernel("afnetworking-1662", "AFNetworking/AFNetworking#1662", "finished by a cancel, without a start") { scene in
      let operation = StatefulOperation()
      scene.thread("queue") { operation.begin() }
      scene.thread("user") { scene.isMended ? operation.mendedFinish() : operation.finish() }
      scene.atEnd { operation.finishedUnstarted ? "finished without being started" : nil }
    },
  ]
}

/// The descriptors of a process, of which one is open.
private final class Descriptors: Sendable {
  private let state = Box((closes: 0, isMisused: false))

  var closes: Int { state.value.closes }
  var isMisused: Bool { state.value.isMisused }

  func close(_ descriptor: Int) { state.withLock { $0.closes += 1 } }
  func read(_ descriptor: Int) { state.withLock { if $0.closes > 0 { $0.isMisused = true } } }
}

/// A source of a file's events.
///
/// It may be handling one when it is cancelled; its cancel handler comes after that.
private final class FileSource: Sendable {
  private let isCancelled = Box(false)
  private let cancelled = Signal()

  func cancel() {
    isCancelled.value = true
    cancelled.give()
  }

  func handleEvents(_ system: Descriptors, isMended: Bool) async {
    if !isCancelled.value { system.read(3) }
    await cancelled.wait()
    if isMended { system.close(3) }
  }
}

/// The processes of a system: ours has the number 7, until it is reaped and another one gets it.
private actor ProcessTable {
  private var owner = "ours"
  private var handles = ["ours"]

  func reap() { owner = "a stranger's" }
  func reuse() { owner = "a stranger's" }
  func signal() -> Bool { owner == "ours" }
  func status(ofId id: Int) -> String { owner }
  func status(ofHandle handle: Int) -> String { handles[handle] }
}

/// An operation that ends after a while, or if it is cancelled while it runs.
private final class Toast: Operation, @unchecked Sendable {
  private enum State { case ready, executing, finished }

  private let state = Box(State.ready)
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  override var isExecuting: Bool { state.value == .executing }
  override var isFinished: Bool { state.value == .finished }

  override func start() {
    if isCancelled {
      if isMended { state.value = .finished } else { finish() }
      return
    }
    state.value = .executing
  }

  func timeUp() { finish() }

  private func finish() { state.withLock { if $0 == .executing { $0 = .finished } } }
}

/// An operation with one state for all, as Apple's sample had it.
private final class StatefulOperation: Sendable {
  private enum State { case ready, executing, cancelled, finished }

  private let state = Box((now: State.ready, isCancelled: false, wasStarted: false, unstarted: false))

  var isFinished: Bool { state.value.now == .finished }
  var finishedUnstarted: Bool { state.value.unstarted }

  func run(isMended: Bool) {
    state.withLock { if $0.now == .ready { $0.now = .executing } }
    state.withLock { if isMended || $0.now == .executing { $0.now = .finished } }
  }

  /// Mended, to be cancelled is no state of its own.
  func cancel(isMended: Bool) {
    state.withLock { state in
      state.isCancelled = true
      if !isMended, state.now != .finished { state.now = .cancelled }
    }
  }

  func begin() {
    state.withLock { state in
      state.wasStarted = true
      if state.isCancelled { state.now = .finished }
    }
  }

  func finish() {
    state.withLock { state in
      state.isCancelled = true
      state.unstarted = !state.wasStarted
      state.now = .finished
    }
  }

  /// Finishes now if it was started; otherwise the start does.
  func mendedFinish() {
    state.withLock { state in
      state.isCancelled = true
      if state.wasStarted { state.now = .finished }
    }
  }
}
