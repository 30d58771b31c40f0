// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// What happened, in order.
///
/// `lock` guards `entries`.
package final class EventLog<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [Event] = []

  package init() {}

  package func add(_ event: Event) { lock.withLock { entries.append(event) } }

  package var events: [Event] { lock.withLock { entries } }

  package func removeAll() { lock.withLock { entries.removeAll() } }
}
