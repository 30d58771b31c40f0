// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// The gate opens between the check and the wait.
enum LostWakeUp {
  static let bug = Bug(id: "A3", title: "A continuation that is never resumed", async: program)

  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    private var isOpen: Bool { state.withLock { $0.isOpen } }

    func naive() async {
      if isOpen { return }
      await note("waiting")
      await withCheckedContinuation { continuation in state.withLock { $0.waiting.append(continuation) } }
    }

    func fixed() async {
      await note("waiting")
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    private let notes = Notes()
    private func note(_ text: String) async { await notes.add(text) }
  }

  private actor Notes {
    private var all: [String] = []
    func add(_ text: String) { all.append(text) }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let gate = Gate()
    async let passed: Void = side == .naive ? gate.naive() : gate.fixed()
    async let opened: Void = gate.open()
    _ = await (passed, opened)
    return nil
  }
}
