// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Combine

// In all of these, cancelling the new future cancels the given ones; these keep the new one alive while they are
// pending, and remove the link once it is resolved.

extension ValueFuture {
  /// Creates a future with the values of all the given futures, in the order in which they were given.
  ///
  /// It fails as soon as one fails; the others aren't affected. It is cancelled as soon as one is, for the same reason,
  /// and cancelling it, by any means, cancels all that are pending. `all([])` is completed with no values. This starts
  /// lazy futures, unless one of the others has already decided the outcome. O(n).
  ///
  /// Values that have an `onUndelivered` are received when the array is received. If the new future fails or is
  /// cancelled, or if its value is never requested, each goes to its own `onUndelivered`.
  ///
  /// - Parameters:
  ///   - futures: The futures. They may already be resolved, and may occur more than once.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  /// - Returns: The new future.
  public static func all<Part: Sendable>(
    _ futures: [ValueFuture<Part>],
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture where Value == [Part] {
    let collector = Collector(count: futures.count) { resolutions, _ in
      .combining(resolutions) { try resolutions.map { try $0.get(Part.self, receiving: false) } }
    }
    let all = ValueFuture(DerivedFuture(label: label, site: CreationSite(fileID, line), collector.values))
    if futures.isEmpty { all.complete(with: []) }
    all.forEachSource(futures) { source, index in all.future.depend(on: source, .answerCompletion(index)) }
    return all
  }

  /// Creates a future with the results of all the given futures, in the order in which they were given, whether they
  /// succeed or not.
  ///
  /// A cancelled future counts as a failure with its reason. Cancelling the new future cancels all that are pending.
  /// `allSettled([])` is completed with no results. This starts lazy futures. O(n).
  ///
  /// Values that have an `onUndelivered` are received when the array is received. If the new future is cancelled, or if
  /// its value is never requested, each goes to its own `onUndelivered`.
  ///
  /// - Parameters:
  ///   - futures: The futures. They may already be resolved, and may occur more than once.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  /// - Returns: The new future; it never fails.
  public static func allSettled<Part: Sendable>(
    _ futures: [ValueFuture<Part>],
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture where Value == [Result<Part, any Error>] {
    let collector = Collector(count: futures.count) { resolutions, _ in
      .combining(resolutions) {
        resolutions.map { resolution in Result { try resolution.get(Part.self, receiving: false) } }
      }
    }
    let answer = DerivedFuture.Answer.resolution { resolution, index, _ in collector.add(resolution, at: index) }
    let all = ValueFuture(DerivedFuture(label: label, site: CreationSite(fileID, line), answer))
    if futures.isEmpty { all.complete(with: []) }
    all.forEachSource(futures) { source, index in all.future.depend(on: source, .answer(index)) }
    return all
  }

  /// Creates a future with the values of all the given futures, in a call that names their type:
  /// `ValueFuture<Int>.all`.
  ///
  /// The same as the function whose result is of the type that it is called on.
  ///
  /// - Parameters:
  ///   - futures: The futures.
  ///   - label: A name for descriptions and errors.
  /// - Returns: The new future.
  public static func all<Part: Sendable>(
    _ futures: [ValueFuture<Part>],
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<[Part]> {
    ValueFuture<[Part]>.all(futures, label: label, fileID: fileID, line: line)
  }

  /// Creates a future with the results of all the given futures, in a call that names the type of these:
  /// `ValueFuture<Int>.allSettled`.
  ///
  /// The same as the function whose result is of the type that it is called on.
  ///
  /// - Parameters:
  ///   - futures: The futures.
  ///   - label: A name for descriptions and errors.
  /// - Returns: The new future; it never fails.
  public static func allSettled<Part: Sendable>(
    _ futures: [ValueFuture<Part>],
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<[Result<Part, any Error>]> {
    ValueFuture<[Result<Part, any Error>]>.allSettled(futures, label: label, fileID: fileID, line: line)
  }

  /// Creates a future with the values of several futures, which may be of different types.
  ///
  /// It fails as soon as one fails; the others aren't affected. It is cancelled as soon as one is, for the same reason,
  /// and cancelling it, by any means, cancels all that are pending. This starts lazy futures, unless one of the others
  /// has already decided the outcome.
  ///
  /// Values that have an `onUndelivered` are received when the tuple is received. If the new future fails or is
  /// cancelled, or if its value is never requested, each goes to its own `onUndelivered`.
  ///
  /// - Parameters:
  ///   - futures: The futures. They may already be resolved.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  /// - Returns: The new future, with a tuple.
  public static func zip<each Part: Sendable>(
    _ futures: repeat ValueFuture<each Part>,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture where Value == (repeat each Part) {
    var count = 0
    for _ in repeat each futures { count += 1 }
    let collector = Collector(count: count) { resolutions, _ in
      var rest = resolutions[...]
      func next<Next: Sendable>(_ type: Next.Type) throws -> Next {
        try rest.removeFirst().get(type, receiving: false)
      }
      return .combining(resolutions) { (repeat try next((each Part).self)) }
    }
    let zip = ValueFuture(DerivedFuture(label: label, site: CreationSite(fileID, line), collector.values))
    // Nothing has to come.
    if count == 0 { zip.future.decide(collector.combine([], .completed)) }
    var index: Int32 = 0
    for future in repeat each futures {
      zip.future.depend(on: future.future, .answerCompletion(index))
      index += 1
    }
    for future in repeat each futures {
      if zip.isPending { future.demand() }
    }
    return zip
  }

  /// Creates a future with the first value of any of the given futures.
  ///
  /// Futures that fail or are cancelled drop out. If all have dropped out, the new future fails with
  /// ``AllFailedError``, which has the errors of all, or, if all were cancelled, is cancelled with the reason of the
  /// last one. `any([])` is cancelled. Cancelling the new future cancels all that are pending. This starts lazy
  /// futures, unless one of the others has already decided the outcome. O(n).
  ///
  /// If values have an `onUndelivered`, the first one is passed on: it counts as received when it is received from the
  /// new future, and is given back if it never is. Every other value stays with its own future.
  ///
  /// - Parameters:
  ///   - futures: The futures. They may already be resolved; then the first one in the array that has a value wins.
  ///   - cancelLosers: True to cancel the losers when there is a value. A value that a loser still brings
  ///     goes to its own `onUndelivered`.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  /// - Returns: The new future.
  public static func any(
    _ futures: [ValueFuture],
    cancelLosers: Bool = false,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let dropOuts = Collector(count: futures.count) { resolutions, last in
      if resolutions.allSatisfy({ $0.outcome == .cancelled }) { return last }
      return .failed(AllFailedError(errors: resolutions.compactMap { $0.reason ?? $0.failure }))
    }
    return first(of: futures, cancelLosers, dropOuts, label, CreationSite(fileID, line)) { $0.failure == nil }
  }

  /// Creates a future with the result of the given future that completes first, with a value or an error.
  ///
  /// Futures that are cancelled drop out. If all were cancelled, the new future is cancelled with the last reason;
  /// `race([])` is cancelled. Cancelling the new future cancels all that are pending. This starts lazy futures, unless
  /// one of the others has already decided the outcome. O(n).
  ///
  /// The winner's value is passed on: with an `onUndelivered`, it counts as received when it is received from
  /// the new future, and is given back if it never is. Every other value stays with its own future.
  ///
  /// - Parameters:
  ///   - futures: The futures. They may already be resolved; then the first one in the array wins.
  ///   - cancelLosers: True to cancel the losers when one has won. A value that a loser still brings goes
  ///     to its own `onUndelivered`.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  /// - Returns: The new future.
  public static func race(
    _ futures: [ValueFuture],
    cancelLosers: Bool = false,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let dropOuts = Collector(count: futures.count) { _, last in last }
    return first(of: futures, cancelLosers, dropOuts, label, CreationSite(fileID, line)) { _ in true }
  }

  /// Creates a future that gets the first winning completion or, if none wins, an outcome made from all outcomes.
  private static func first(
    of futures: [ValueFuture],
    _ cancelLosers: Bool,
    _ dropOuts: Collector,
    _ label: String?,
    _ site: CreationSite,
    wins: @escaping @Sendable (Resolution) -> Bool
  ) -> ValueFuture {
    // The winner's resolution is passed on unchanged, and counts as received when it is received from there.
    let answer = DerivedFuture.Answer.resolution { resolution, index, _ in
      resolution.outcome == .completed && wins(resolution) ? resolution : dropOuts.add(resolution, at: index)
    }
    let first = ValueFuture(DerivedFuture(label: label, site: site, answer))
    if futures.isEmpty { first.cancel() }
    first.forEachSource(futures) { source, index in
      first.future.depend(on: source, .answer(index), backward: cancelLosers ? .dismiss : .cascade)
    }
    return first
  }

  /// Connects each of the futures, then starts the lazy ones, as long as this future still needs them.
  private func forEachSource<Part>(
    _ futures: [ValueFuture<Part>],
    _ connect: (_ source: Future, _ index: Int32) -> Void
  ) {
    var lazy: [ValueFuture<Part>] = []
    // By index: the loop is generic, and would create the types of a sequence of pairs at run time.
    for index in futures.indices {
      let source = futures[index]
      connect(source.future, Int32(index))
      if source.lazyWork != nil { lazy.append(source) }
    }
    for index in lazy.indices where isPending { lazy[index].demand() }
  }
}

extension Future {
  /// Adds a source to this future, which is a derived one.
  fileprivate func depend(on source: Future, _ rule: Link.Rule, backward: Link.Backward = .cascade) {
    decide(byLink: source.connect(Link(rule, backward: backward, from: source, to: self, keeping: .target), to: self))
  }
}

/// An object that collects resolutions until it has all.
///
/// They count as received only when the combined result is: if there is none, their values were not delivered.
private final class Collector: Sendable {
  private struct State {
    var resolutions: [Resolution?]
    var missing: Int
  }

  /// Guards the resolutions so far; they are combined outside.
  private let state: Locked<State>
  let combine: @Sendable (_ all: [Resolution], _ last: Resolution) -> Resolution

  init(count: Int, _ combine: @escaping @Sendable (_ all: [Resolution], _ last: Resolution) -> Resolution) {
    state = Locked(State(resolutions: Array(repeating: nil, count: count), missing: count))
    self.combine = combine
  }

  /// The answer for sources that all have to succeed.
  var values: DerivedFuture.Answer {
    .resolution { resolution, index, _ in
      if let error = resolution.failure { return .failed(error) }
      return self.add(resolution, at: index)
    }
  }

  /// Stores a resolution at its index; the last one returns the combined resolution.
  func add(_ resolution: Resolution, at index: Int) -> Resolution? {
    let complete: [Resolution?]? = state.withLock { state in
      state.resolutions[index] = resolution
      state.missing -= 1
      return state.missing == 0 ? exchange(&state.resolutions, with: []) : nil
    }
    return complete.map { combine($0.compactMap(\.self), resolution) }
  }
}
