// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file. It needs nothing but the library.

public import RaceFreeFuture

/// The time that is left, as text for the header of a request, in the format of gRPC: a number of at most eight digits
/// and a unit, as in `1500m`.
///
/// A header has the time that is left and not the instant of the deadline, since the clocks of two machines differ. The
/// receiver counts from the arrival, so the time on the way comes on top.
public enum TimeoutHeader {
  /// The name of the header.
  public static let name = "grpc-timeout"

  private static let units: [(letter: Character, interval: Duration)] = [
    ("n", .nanoseconds(1)), ("u", .microseconds(1)), ("m", .milliseconds(1)),
    ("S", .seconds(1)), ("M", .seconds(60)), ("H", .seconds(3600)),
  ]

  /// Returns the text for an interval, rounded down to seven digits.
  ///
  /// Seven, since servers of grpc-swift 2.4 ignore a timeout of eight. An interval that is too short for the smallest
  /// unit, or negative, becomes one nanosecond, and one that is too long becomes the longest, over a thousand years.
  ///
  /// - Parameter interval: The interval.
  /// - Returns: The text.
  public static func text(for interval: Duration) -> String {
    for (letter, unit) in units {
      let amount = interval.attoseconds / unit.attoseconds
      if amount < 10_000_000 { return "\(max(amount, 1))\(letter)" }
    }
    return "9999999H"
  }

  /// Returns the interval that a text stands for.
  ///
  /// - Parameter text: The text, from whomever.
  /// - Returns: The interval; nil if the text hasn't the format.
  public static func interval(from text: String) -> Duration? {
    let digits = text.utf8.dropLast()
    guard (1...8).contains(digits.count), digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let unit = units.first(where: { $0.letter == text.last })
    else { return nil }
    return unit.interval * digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Returns the text for the time that some work has left.
  ///
  /// - Parameter work: The work.
  /// - Returns: The text; nil if the work has no deadline.
  public static func text(for work: some CancellableWork) -> String? {
    work.deadline.map { text(for: Deadline.now.duration(to: $0)) }
  }
}
