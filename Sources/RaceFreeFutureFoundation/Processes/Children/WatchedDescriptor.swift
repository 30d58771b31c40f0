// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch

  internal import Foundation

  /// A descriptor that is waited for, and closed once, when no wait is left.
  ///
  /// `@unchecked Sendable`: everything is used on the queue of the run only.
  final class WatchedDescriptor: @unchecked Sendable {
    let number: Int32
    let queue: DispatchQueue
    private let monitor: DescriptorMonitor
    private let onClosed: () -> Void
    private var waiting: Int?
    private(set) var isClosed = false

    /// Takes a descriptor, which is closed only by `close()`.
    ///
    /// - Parameters:
    ///   - number: The descriptor.
    ///   - queue: The queue of the run.
    ///   - monitor: The monitor that waits.
    ///   - onClosed: Runs once, on the queue, when it has been closed.
    init(_ number: Int32, on queue: DispatchQueue, _ monitor: DescriptorMonitor, onClosed: @escaping () -> Void) {
      self.number = number
      self.queue = queue
      self.monitor = monitor
      self.onClosed = onClosed
    }

    /// Calls a handler on the queue when the descriptor can be read or written; never after `close()`.
    func whenReady(_ events: Int32, _ handler: @escaping () -> Void) {
      // Made and run on the queue of the run.
      nonisolated(unsafe) let handler = handler
      waiting = monitor.wait(for: number, events, on: queue) { [self] in
        waiting = nil
        if !isClosed { unsafe handler() }
      }
    }

    /// Calls a handler on the queue, after the blocks that are queued; never after `close()`.
    func soon(_ handler: @escaping () -> Void) {
      nonisolated(unsafe) let handler = handler
      queue.async { [self] in
        if !isClosed { unsafe handler() }
      }
    }

    /// Closes the descriptor; any number of times.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      if let waiting {
        monitor.remove(waiting, on: queue) { [self] in reallyClose() }
      } else {
        queue.async { [self] in reallyClose() }
      }
    }

    private func reallyClose() {
      closeDescriptor(number)
      onClosed()
    }
  }
#endif
