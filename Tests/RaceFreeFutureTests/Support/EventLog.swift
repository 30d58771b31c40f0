// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// What happened, in order.
///
/// `lock` guards `entries`.
final class EventLog<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [Event] = []

  init() {}

  func add(_ event: Event) { lock.withLock { entries.append(event) } }

  var events: [Event] { lock.withLock { entries } }

  func removeAll() { lock.withLock { entries.removeAll() } }
}
