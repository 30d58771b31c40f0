// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The events of timers.

extension FutureMachine {
  /// The deadlines that are set, the last one first.
  var deadlines: [TimedNode] {
    var deadlines: [TimedNode] = []
    guard handlers.hasTimers else { return deadlines }
    handlers.aside.forEach { entry in
      guard case .timer(let timer) = entry, unsafe timer._withUnsafeGuaranteedRef({ $0.isDeadline }) else { return }
      unsafe deadlines.append(timer.takeUnretainedValue())
    }
    return deadlines
  }

  /// Adds a timer; false if the future is decided.
  mutating func add(_ timer: TimedNode) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(Entry(timer))
    return true
  }

  /// Removes a timer that was unregistered; false if the future is decided.
  mutating func remove(_ timer: TimedNode) -> Bool {
    guard phase == .pending else { return false }
    handlers.remove(Entry(timer))
    return true
  }

  /// Cancels the future because a deadline has come, and leaves the delivery to `marked`.
  mutating func deadlineCame(_ resolution: Resolution) -> Effect {
    switch phase {
    case .pending: mark(resolution)
    // The walk of another thread is on its way: the next deadline has to find all of the tree decided (L14).
    case .marking: .join
    case .held, .delivering, .resolved, .unresolvable: .none
    }
  }
}
