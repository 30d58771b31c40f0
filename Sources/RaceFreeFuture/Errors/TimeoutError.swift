// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that work took longer than its time limit.
public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The time limit: up to the ``deadline``, if there was one, from the moment when that was set or last moved.
  public let interval: Duration
  /// The name of the work that took too long: the future's label or, without one, the place where it was created.
  public let label: String
  /// The deadline that has passed, of the future that ``label`` names; nil for a wait with a timeout.
  ///
  /// It is not compared.
  public let deadline: ContinuousClock.Instant?
  /// The names of the futures through which it came as a cancellation, from the one that took too long to the one that
  /// the cancelled future is linked to; empty if it came through none.
  ///
  /// It has the form of ``Cancellation/path``. It is not compared.
  public private(set) var path: [String] = []
  /// True if the deadline had been moved: the limit counts from there.
  private var isMoved = false

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - interval: The time limit.
  ///   - label: The name of the work that took too long.
  ///   - deadline: The instant at which the work should have been over, if known.
  public init(interval: Duration, label: String, deadline: ContinuousClock.Instant? = nil) {
    self.interval = interval
    self.label = label
    self.deadline = deadline
  }

  /// Creates the error of a deadline that was set, or last moved, at an instant.
  init(from start: ContinuousClock.Instant, to deadline: ContinuousClock.Instant, isMoved: Bool, label: String) {
    self.init(interval: start.duration(to: deadline), label: label, deadline: deadline)
    self.isMoved = isMoved
  }

  /// One sentence, meant for people to read.
  public var description: String {
    let late = isMoved ? "\(interval.text) after the deadline was last moved" : "after \(interval.text)"
    return "timed out \(late): \(label)\(pathText(path, after: label))"
  }

  /// Returns a Boolean value that indicates whether two errors have the same label and time limit.
  public static func == (left: TimeoutError, right: TimeoutError) -> Bool {
    left.interval == right.interval && left.label == right.label
  }

  /// Returns the same error with a path.
  func along(_ path: [String]) -> TimeoutError {
    var error = self
    error.path = path
    return error
  }
}

/// Returns the text for the path of an error, without what the error has already said.
func pathText(_ path: [String], after origin: String) -> String {
  let rest = path.first == origin ? path.dropFirst() : path[...]
  return rest.isEmpty ? "" : ", through \(rest.joined(separator: " → "))"
}

extension Duration {
  /// The duration in readable form, rounded to three decimals: `250 ms`, `1.5 s`, `2 min 30 s`.
  var text: String {
    if self < .zero { return "-\((.zero - max(self, .seconds(-Int64.max))).text)" }
    let (seconds, attoseconds) = min(self, .seconds(Int64.max)).components
    if seconds >= 60 { return Self.textOfMinutes(attoseconds < 500_000_000_000_000_000 ? seconds : seconds + 1) }
    let (unit, name): (Int64, String) =
      switch self {
      case .zero, .seconds(1)...: (1_000_000_000_000_000_000, "s")
      case .milliseconds(1)...: (1_000_000_000_000_000, "ms")
      case .microseconds(1)...: (1_000_000_000_000, "µs")
      default: (1_000_000_000, "ns")
      }
    // Less than 60 seconds: a small number in thousandths of any of these units.
    let thousandths = seconds * 1000 + (attoseconds + unit / 2000) / (unit / 1000)
    let fraction = "\(thousandths % 1000 + 1000)".dropFirst().reversed().drop { $0 == "0" }.reversed()
    return "\(thousandths / 1000)\(fraction.isEmpty ? "" : "." + String(fraction)) \(name)"
  }

  private static func textOfMinutes(_ seconds: Int64) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
