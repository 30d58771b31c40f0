// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Combine

// In all of these, cancelling the new future cancels the given ones; these keep the new one alive while they are
// pending, and forget it once it is resolved.

extension ValueFuture {
  /// Makes a future with the values of all the given ones, in the order in which they were given.
  ///
  /// It fails as soon as one fails; the others are left alone. It is cancelled as soon as one is, for the same reason,
  /// and cancelling it, in whichever way, cancels all that are pending. `all([])` is completed with no values. It
  /// starts lazy futures. O(n).
  ///
  /// - Parameter futures: They may be resolved already, and may occur more than once.
  /// - Returns: The new future.
  public static func all<Part: Sendable>(_ futures: [ValueFuture<Part>]) -> ValueFuture where Value == [Part] {
    let all = ValueFuture(Future(label: "all of \(futures.count)"), origin: .derived(of: futures))
    let collector = Collector(count: futures.count) { resolutions in
      .catching { try resolutions.map { try $0.get(Part.self) } }
    }
    if futures.isEmpty { all.complete(with: []) }
    for (index, future) in futures.enumerated() { future.collect(into: collector, at: index, for: all.future) }
    return all
  }

  /// Makes a future with the results of all the given ones, in the order in which they were given, whatever they are.
  ///
  /// A cancelled one counts as a failure with its reason. Cancelling the new future cancels all that are pending.
  /// `allSettled([])` is completed with no results. It starts lazy futures. O(n).
  ///
  /// - Parameter futures: They may be resolved already, and may occur more than once.
  /// - Returns: The new future; it never fails.
  public static func allSettled<Part: Sendable>(
    _ futures: [ValueFuture<Part>]
  ) -> ValueFuture where Value == [Result<Part, any Error>] {
    let all = ValueFuture(Future(label: "all of \(futures.count), settled"), origin: .derived(of: futures))
    let collector = Collector(count: futures.count) { resolutions in
      .catching { resolutions.map { resolution in Result { try resolution.get(Part.self) } } }
    }
    if futures.isEmpty { all.complete(with: []) }
    for (index, future) in futures.enumerated() {
      future.future.stage(to: all.future, at: nil) { resolution, _ in collector.add(resolution, at: index) }?.run()
      future.demand()
    }
    return all
  }

  /// Makes a future with the values of several ones, which may be of different types.
  ///
  /// It fails as soon as one fails; the others are left alone. It is cancelled as soon as one is, for the same reason,
  /// and cancelling it, in whichever way, cancels all that are pending. It starts lazy futures.
  ///
  /// - Parameter futures: They may be resolved already.
  /// - Returns: The new future, with a tuple.
  public static func zip<each Part: Sendable>(
    _ futures: repeat ValueFuture<each Part>
  ) -> ValueFuture where Value == (repeat each Part) {
    var count = 0
    var origins: [Origin] = []
    for future in repeat each futures {
      count += 1
      origins.append(future.origin)
    }
    let zip = ValueFuture(Future(label: "zip of \(count)"), origin: .derived(from: origins))
    let collector = Collector(count: count) { resolutions in
      var rest = resolutions[...]
      func next<Next: Sendable>(_ type: Next.Type) throws -> Next { try rest.removeFirst().get(type) }
      return .catching { (repeat try next((each Part).self)) }
    }
    var index = 0
    for future in repeat each futures {
      future.collect(into: collector, at: index, for: zip.future)
      index += 1
    }
    return zip
  }

  /// Makes a future with the first value that one of the given ones brings.
  ///
  /// Those that fail or are cancelled drop out. If all have dropped out, it fails with the error of the last that
  /// failed or, if all were cancelled, is cancelled for the reason of the last. `any([])` is cancelled. Cancelling it
  /// cancels all that are pending. It starts lazy futures. O(n).
  ///
  /// - Parameters:
  ///   - futures: They may be resolved already.
  ///   - cancelLosers: Whether those that are pending are cancelled when there is a value; else they are left alone.
  /// - Returns: The new future.
  public static func any(_ futures: [ValueFuture], cancelLosers: Bool = false) -> ValueFuture {
    first(of: futures, label: "any of \(futures.count)", cancelLosers) { $0.failure(of: Value.self) == nil }
  }

  /// Makes a future with the result of the given one that completes first, be it a value or an error.
  ///
  /// Those that are cancelled drop out. If all were cancelled, so is the new one, for the reason of the last;
  /// `race([])` is cancelled. Cancelling it cancels all that are pending. It starts lazy futures. O(n).
  ///
  /// - Parameters:
  ///   - futures: They may be resolved already; then the first of them in the array wins.
  ///   - cancelLosers: Whether those that are pending are cancelled when one has won; else they are left alone. A value
  ///     that a loser brings all the same goes to its own `onUndelivered`.
  /// - Returns: The new future.
  public static func race(_ futures: [ValueFuture], cancelLosers: Bool = false) -> ValueFuture {
    first(of: futures, label: "race of \(futures.count)", cancelLosers) { _ in true }
  }

  private static func first(
    of futures: [ValueFuture],
    label: String,
    _ cancelLosers: Bool,
    wins: @escaping @Sendable (Resolution) -> Bool
  ) -> ValueFuture {
    let first = ValueFuture(Future(label: label), origin: .derived(of: futures))
    if futures.isEmpty { first.cancel() }
    let rest = DropOuts(futures.count)
    for future in futures {
      // What has won is passed on as it is, and counts as received when somebody receives it from there.
      future.future.stage(to: first.future, at: nil, backward: cancelLosers ? .dismiss : .cascade) { resolution, _ in
        if resolution.outcome == .completed, wins(resolution) { return resolution }
        return rest.add(resolution)
      }?.run()
      future.demand()
    }
    return first
  }

  private func collect(into collector: Collector, at index: Int, for target: Future) {
    future.stage(to: target) { resolution, _ in
      if let error = resolution.failure(of: Value.self) { return .failed(error) }
      return collector.add(resolution, at: index)
    }?.run()
    demand()
  }
}

extension Origin {
  fileprivate static func derived<Value>(of futures: [ValueFuture<Value>]) -> Origin {
    .derived(from: futures.map(\.origin))
  }
}

/// Keeps resolutions until all are there.
///
/// They count as received only then: if the combined future doesn't come about, their values were not delivered.
private final class Collector: Sendable {
  private struct State {
    var resolutions: [Resolution?]
    var missing: Int
  }

  private let state: Locked<State>
  private let combine: @Sendable ([Resolution]) -> Resolution

  init(count: Int, _ combine: @escaping @Sendable ([Resolution]) -> Resolution) {
    state = Locked(State(resolutions: Array(repeating: nil, count: count), missing: count))
    self.combine = combine
  }

  /// Puts one in its place; the last one brings the combined resolution.
  func add(_ resolution: Resolution, at index: Int) -> Resolution? {
    let complete: [Resolution?]? = state.withLock { state in
      state.resolutions[index] = resolution
      state.missing -= 1
      return state.missing == 0 ? exchange(&state.resolutions, with: []) : nil
    }
    return complete.map { combine($0.compactMap(\.self)) }
  }
}

/// Counts those that can't win any more.
private final class DropOuts: Sendable {
  private struct State {
    var left: Int
    var lastFailure: Resolution?
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(left: count)) }

  /// Adds one; the last one brings what is left to say.
  func add(_ resolution: Resolution) -> Resolution? {
    let (answer, old): (Resolution?, Resolution?) = state.withLock { state in
      let old = state.lastFailure
      if resolution.outcome == .completed { state.lastFailure = resolution }
      state.left -= 1
      return (state.left == 0 ? state.lastFailure ?? resolution : nil, old)
    }
    // Released here, outside of the lock.
    _ = old
    return answer
  }
}
