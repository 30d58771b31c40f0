// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

// Small objects with a fault each, and the same without it. They use atomics, so that they are wrong without being data
// races.

/// Ends once, by completion or by cancellation.
final class OneShot: Sendable {
  private let state = Atomic(0)

  /// Checks, then acts: two may pass the check.
  func naiveEnd(_ value: Int) -> Bool {
    guard state.load(ordering: .acquiring) == 0 else { return false }
    state.store(value, ordering: .releasing)
    return true
  }

  /// Checks and acts at once.
  func end(_ value: Int) -> Bool {
    state.compareExchange(expected: 0, desired: value, ordering: .acquiringAndReleasing).exchanged
  }

  var value: Int { state.load(ordering: .acquiring) }
}

/// Keeps handlers until somebody takes them all.
final class HandlerList: Sendable {
  private let count = Atomic(0)

  /// Without a lock: two handlers may take the same place.
  func naiveAdd() {
    let place = count.load(ordering: .acquiring)
    count.store(place + 1, ordering: .releasing)
  }

  func add() { count.add(1, ordering: .acquiringAndReleasing) }

  var handlers: Int { count.load(ordering: .acquiring) }
}

/// A parked task that completion and cancellation want to wake.
final class Parked: Sendable {
  private let isParked = Atomic(true)
  private let resumes = Atomic(0)

  /// Resumes first and forgets afterwards.
  func naiveResume() {
    guard isParked.load(ordering: .acquiring) else { return }
    resumes.add(1, ordering: .acquiringAndReleasing)
    isParked.store(false, ordering: .releasing)
  }

  func resume() {
    if isParked.exchange(false, ordering: .acquiringAndReleasing) { resumes.add(1, ordering: .acquiringAndReleasing) }
  }

  var resumeCount: Int { resumes.load(ordering: .acquiring) }
}

/// Runs a handler at its end, or at once if the end has been.
final class LateHandlers: Sendable {
  /// 0 nothing, 1 there is a handler, 2 ended.
  private let state = Atomic(0)
  private let handler = Atomic(false)
  private let runs = Atomic(0)

  /// The end may fall between the look and the storing, and finds no handler.
  func naiveAdd() {
    if state.load(ordering: .sequentiallyConsistent) == 2 {
      runs.add(1, ordering: .acquiringAndReleasing)
    } else {
      handler.store(true, ordering: .sequentiallyConsistent)
    }
  }

  func naiveEnd() {
    state.store(2, ordering: .sequentiallyConsistent)
    if handler.load(ordering: .sequentiallyConsistent) { runs.add(1, ordering: .acquiringAndReleasing) }
  }

  func add() {
    let isFirst = state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    if !isFirst { runs.add(1, ordering: .acquiringAndReleasing) }
  }

  func end() {
    if state.exchange(2, ordering: .acquiringAndReleasing) == 1 { runs.add(1, ordering: .acquiringAndReleasing) }
  }

  var runCount: Int { runs.load(ordering: .acquiring) }
}
