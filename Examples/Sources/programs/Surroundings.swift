// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// The server, socket, database and old library of the programs.
///
/// It takes its time, fails at times, and counts.
final class Surroundings: Sendable {
  struct Failure: Error {}

  struct Counts {
    var running = 0
    var mostRunning = 0
    /// Runs of the same name at the same time.
    var doubled = 0
    var names: [String: Int] = [:]
    var writes: [String: Int] = [:]
    var writesAfterClose = 0
    var isClosed = false
  }

  /// A result, whose instances are counted.
  final class Content: Sendable {
    static let live = Atomic(0)
    let name: String

    init(_ name: String) {
      self.name = name
      Self.live.add(1, ordering: .relaxed)
    }

    deinit { Self.live.subtract(1, ordering: .relaxed) }
  }

  private let queue = DispatchQueue(label: "surroundings", attributes: .concurrent)
  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }

  private func begin(_ name: String) {
    state.withLock { state in
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      state.names[name, default: 0] += 1
      if state.names[name] == 2 { state.doubled += 1 }
    }
  }

  private func end(_ name: String) {
    state.withLock { state in
      state.running -= 1
      state.names[name]? -= 1
    }
  }

  /// Loads something; once in a while it fails, and not always it follows a cancellation at once.
  func load(_ name: String) async throws -> Content {
    begin(name)
    defer { end(name) }
    for _ in 0..<Int.random(in: 0...3) {
      await Task.yield()
      if Bool.random() { try Task.checkCancellation() }
    }
    if Int.random(in: 0..<8) == 0 { throw Failure() }
    return Content(name)
  }

  /// Asks something, and answers on some thread: once, twice, or never, with a value, an error, both or neither.
  func ask(_ name: String, whenDone: @escaping @Sendable (Content?, (any Error)?) -> Void) -> Question {
    begin(name)
    let question = Question { [self] in end(name) }
    queue.async {
      guard question.stop() else { return }
      for _ in 0..<[0, 1, 1, 1, 1, 2].randomElement(or: 1) {
        whenDone(Bool.random() ? Content(name) : nil, Int.random(in: 0..<4) == 0 ? Failure() : nil)
      }
    }
    return question
  }

  /// A question that can be stopped, unless its answer is on the way.
  final class Question: Sendable {
    private let isOver = Atomic(false)
    private let atEnd: @Sendable () -> Void

    fileprivate init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    /// Returns false if it was stopped before, or has been answered.
    @discardableResult
    func stop() -> Bool {
      if isOver.exchange(true, ordering: .acquiringAndReleasing) { return false }
      atEnd()
      return true
    }
  }

  /// Writes how a job has ended; refuses cancelled tasks, as databases do.
  func write(_ name: String) async throws {
    try Task.checkCancellation()
    await Task.yield()
    try Task.checkCancellation()
    state.withLock { state in
      state.writes[name, default: 0] += 1
      if state.isClosed { state.writesAfterClose += 1 }
    }
  }

  func close() { state.withLock { $0.isClosed = true } }
}

extension Array {
  fileprivate func randomElement(or other: Element) -> Element { randomElement() ?? other }
}
