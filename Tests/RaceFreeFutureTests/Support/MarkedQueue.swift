// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// A queue that can tell whether the running code is on it, directly or through a queue that has it as its target.
struct MarkedQueue: Sendable {
  let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  init(_ label: String = "marked", attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: label, attributes: attributes)
    queue.setSpecific(key: key, value: true)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Suspends until everything that is on the (serial) queue now has run.
  func drained() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
