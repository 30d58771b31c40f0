// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// Says that something took longer than it was given.
public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// How long it was given.
  public let interval: DispatchTimeInterval
  /// What took too long: the future's label or, without one, the place where it was made.
  public let label: String
  /// What the futures are called through which it came as a cancellation: first the one that took too long, last the
  /// one to which the cancelled future is linked; empty if it came through none.
  ///
  /// As ``Future/cancellationPath`` gives it. Not compared.
  public private(set) var path: [String] = []

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
    return "timed out after \(time): \(label)\(pathText(path, after: label))"
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
