// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// What happened to pieces of work, in order: `+` for a begin.
final class Timeline: Sendable, CustomStringConvertible {
  private let lines = Mutex((events: [String](), running: 0, most: 0))

  func begin(_ name: String) {
    lines.withLock { lines in
      lines.running += 1
      lines.most = max(lines.most, lines.running)
      lines.events.append("+ \(name)")
    }
  }

  func end(_ name: String, _ how: String) {
    lines.withLock { lines in
      if lines.events.contains("+ \(name)") { lines.running -= 1 }
      lines.events.append("\(name) \(how)")
    }
  }

  var description: String {
    lines.withLock { "  \($0.events.joined(separator: ", "))\n  at most \($0.most) at once\n" }
  }
}
