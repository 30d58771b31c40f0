// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch

/// A queue that can tell whether the running code is on it, directly or through a queue that has it as its target.
package struct MarkedQueue: Sendable {
  package let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  package init(_ label: String = "marked", attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: label, attributes: attributes)
    queue.setSpecific(key: key, value: true)
  }

  package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Suspends until everything that is on the (serial) queue now has run.
  package func drained() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
