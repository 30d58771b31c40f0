// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Says that something took longer than it was given.
public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// How long it was given: until its deadline, if it had one, from the moment when that was set.
  public let interval: Duration
  /// What took too long: the future's label or, without one, the place where it was made.
  public let label: String
  /// The deadline that has passed, of the future that ``label`` names; nil for a wait that was given a time.
  ///
  /// Not compared.
  public let deadline: ContinuousClock.Instant?
  /// What the futures are called through which it came as a cancellation: first the one that took too long, last the
  /// one to which the cancelled future is linked; empty if it came through none.
  ///
  /// As ``CancellableWork/cancellationPath`` gives it. Not compared.
  public private(set) var path: [String] = []

  /// Creates an error that says what took too long.
  ///
  /// - Parameters:
  ///   - interval: How long it was given.
  ///   - label: What took too long.
  ///   - deadline: When it should have been over, if that is known.
  public init(interval: Duration, label: String, deadline: ContinuousClock.Instant? = nil) {
    self.interval = interval
    self.label = label
    self.deadline = deadline
  }

  /// One sentence, for people.
  public var description: String {
    "timed out after \(interval.text): \(label)\(pathText(path, after: label))"
  }

  /// Whether the same thing was given the same time.
  public static func == (left: TimeoutError, right: TimeoutError) -> Bool {
    left.interval == right.interval && left.label == right.label
  }

  /// The same error, as it comes at the end of a path.
  func along(_ path: [String]) -> TimeoutError {
    var error = self
    error.path = path
    return error
  }
}

/// How an error says where it came along, as far as it hasn't said so yet.
func pathText(_ path: [String], after origin: String) -> String {
  let rest = path.first == origin ? path.dropFirst() : path[...]
  return rest.isEmpty ? "" : ", through \(rest.joined(separator: " → "))"
}

extension Duration {
  /// The duration as people write it, rounded to three decimals: `250 ms`, `1.5 s`, `2 min 30 s`.
  var text: String {
    if self < .zero { return "-\((.zero - max(self, .seconds(-Int64.max))).text)" }
    let (seconds, attoseconds) = components
    if seconds >= 60 { return Self.textOfMinutes(attoseconds < 500_000_000_000_000_000 ? seconds : seconds + 1) }
    let (unit, name): (Int64, String) =
      switch self {
      case .zero, .seconds(1)...: (1_000_000_000_000_000_000, "s")
      case .milliseconds(1)...: (1_000_000_000_000_000, "ms")
      case .microseconds(1)...: (1_000_000_000_000, "µs")
      default: (1_000_000_000, "ns")
      }
    // Less than 60 seconds: in thousandths of any of these units it is a small number.
    let thousandths = seconds * 1000 + (attoseconds + unit / 2000) / (unit / 1000)
    let fraction = "\(thousandths % 1000 + 1000)".dropFirst().reversed().drop { $0 == "0" }.reversed()
    return "\(thousandths / 1000)\(fraction.isEmpty ? "" : "." + String(fraction)) \(name)"
  }

  private static func textOfMinutes(_ seconds: Int64) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
