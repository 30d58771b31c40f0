// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Describe

extension Future: CustomStringConvertible, CustomDebugStringConvertible {
  /// What the future is called: its label or, without one, the place where it was made.
  var name: String { label ?? "made at \(site)" }

  /// The label or the place where the future was made, its state, the reason if it was cancelled, and how many handlers
  /// wait.
  ///
  /// A snapshot of one moment. For people; its form may change.
  public var description: String {
    let (resolution, count) = process { ($0.resolution, $0.handlerCount) }
    // The reason's own description is user code: it runs here, outside of the lock.
    let state =
      switch resolution {
      case nil: "pending"
      case .completed, .delivered: "completed"
      case .cancelled(let reason): "cancelled (\(reason))"
      }
    let handlers = count == 0 ? "" : ", \(count) handler\(count == 1 ? "" : "s")"
    return "Future(\(label.map { "\"\($0)\"" } ?? name), \(state)\(handlers))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
