// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  /// Pauses a task: impossible here, because a suspended task begins from the start when it is resumed.
  struct TaskPause: Sendable {
    static let isPossible = false

    func control(_ task: URLSessionTask, in session: URLSession) {}

    func begin(while isNeeded: @escaping @Sendable () -> Bool) {}

    func end() {}

    func finish() {}
  }
#else
  /// Pauses a task while its reader is slow.
  ///
  /// The task is suspended and resumed in the session's delegate queue alone, which is serial, and each time after
  /// checking whether that is needed: the last action is based on the newest state.
  final class TaskPause: Sendable {
    static let isPossible = true

    private struct State {
      var task: URLSessionTask?
      var session: URLSession?
      /// Set while the task is suspended, or going to be.
      var isNeeded: (@Sendable () -> Bool)?
      /// True while the task is suspended; changed on the delegate queue.
      var isSuspended = false
      /// True when nothing is to be kept any more.
      var isFinished = false
    }

    /// Guards the task that is suspended or going to be; it is suspended and released outside.
    private let state = Locked(State())

    func control(_ task: URLSessionTask, in session: URLSession) {
      state.withLock { state in
        if !state.isFinished { (state.task, state.session) = (task, session) }
      }
      // The first pieces may have arrived before.
      end()
    }

    /// Suspends the task, if that is still needed when the block runs on the delegate queue.
    func begin(while isNeeded: @escaping @Sendable () -> Bool) {
      state.withLock { state in
        if !state.isFinished { state.isNeeded = isNeeded }
      }
      reconsider()
    }

    /// Resumes the task, if it has been suspended and that isn't needed any more.
    func end() {
      if state.withLock({ $0.isNeeded != nil }) { reconsider() }
    }

    /// Releases the task.
    func finish() {
      let last = state.withLock { state in
        defer { state = State(isFinished: true) }
        return state
      }
      _ = consume last
    }

    private func reconsider() {
      guard let session = state.withLock({ $0.session }) else { return }
      session.delegateQueue.addOperation { [self] in
        let (task, isNeeded) = state.withLock { ($0.task, $0.isNeeded) }
        guard let task, let isNeeded else { return }
        let suspends = isNeeded()
        let isChange = state.withLock { state in
          if !suspends { state.isNeeded = nil }
          defer { state.isSuspended = suspends }
          return state.isSuspended != suspends
        }
        // A task counts its suspensions: each has its own `resume`.
        guard isChange else { return }
        if suspends { task.suspend() } else { task.resume() }
      }
    }
  }
#endif
