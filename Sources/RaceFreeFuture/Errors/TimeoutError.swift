// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// Says that something took longer than it was given.
public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// How long it was given.
  public let interval: DispatchTimeInterval
  /// What took too long: the future's label or, without one, the place where it was made.
  public let label: String

  /// Makes an error that says what took too long.
  ///
  /// - Parameters:
  ///   - interval: How long it was given.
  ///   - label: What took too long.
  public init(interval: DispatchTimeInterval, label: String) {
    self.interval = interval
    self.label = label
  }

  /// One sentence, for people.
  public var description: String {
    let time =
      switch interval {
      case .seconds(let count): "\(count) s"
      case .milliseconds(let count): "\(count) ms"
      case .microseconds(let count): "\(count) µs"
      case .nanoseconds(let count): "\(count) ns"
      default: "\(interval)"
      }
    return "timed out after \(time): \(label)"
  }
}
