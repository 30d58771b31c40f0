// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The living instances of a ``LifetimeTracker``.
public struct LifetimeReport: TestReport {
  /// Passed if no instance is alive.
  public var verdict: TestVerdict { count == 0 ? .passed : .failed }

  /// The number of living instances.
  public let count: Int

  /// The living instances, with the places where they were tracked.
  public let description: String

  init(_ name: String, _ living: [LifetimeTracker.Origin], wording: Wording = .ofEnvironment) {
    count = living.count
    guard !living.isEmpty else {
      description = "PASSED  \(name): everything is released"
      return
    }
    // The same place may have tracked many: one line for all of them.
    var groups: [(origin: LifetimeTracker.Origin, count: Int)] = []
    var places: [LifetimeTracker.Origin: Int] = [:]
    for origin in living {
      if let place = places[origin] {
        groups[place].count += 1
      } else {
        places[origin] = groups.count
        groups.append((origin, 1))
      }
    }
    let width = groups.map(\.origin.label.count).max() ?? 0
    var lines = groups.prefix(40).map { group in
      "  \(grouped(group.count).indented(to: 5)) \(wording.times) "
        + "\(group.origin.label.padded(to: min(width, 60)))  tracked at \(group.origin.site)"
    }
    if groups.count > lines.count { lines.append("  and so on: \(times(groups.count - lines.count, "other place"))") }
    description = """
      FAILED  \(name): \(grouped(living.count)) \(living.count == 1 ? "instance is" : "instances are") still alive
      Somebody keeps a reference to each of these:
      \(lines.joined(separator: "\n"))
      """
  }
}
