// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Tracks the living instances, and the places where they were made.
///
/// ```swift
/// let tracker = LifetimeTracker("downloads")
/// do {
///   let download = tracker.track(Download(), "the download")
///   let token = tracker.token("its handler")
///   download.onComplete { token.touch() }
/// }
/// tracker.report.record()
/// ```
///
/// Objects are tracked by weak references. A closure, which isn't an object, captures a ``Token``.
public final class LifetimeTracker: Sendable {
  /// The name of the tracker in reports.
  public let name: String

  private let state = Locked(State())

  private struct State: Sendable {
    var next = 0
    var subjects: [Int: Subject] = [:]
    /// With this number of objects, released ones are removed, which takes constant amortized time for each.
    var limit = 64
  }

  private struct Subject: Sendable {
    let origin: Origin
    /// Nil for a token, which removes itself.
    let object: WeakObject?
    var isAlive: Bool { object == nil || object?.object != nil }
  }

  private struct WeakObject: Sendable {
    weak let object: (any AnyObject & Sendable)?
  }

  /// The origin of a tracked instance: its label, and the place where it was tracked.
  struct Origin: Hashable, Sendable {
    let label: String
    let site: String
  }

  /// Creates an empty tracker.
  public init(_ name: String = "the tracker") { self.name = name }

  /// Tracks an object, without keeping it, and returns it.
  ///
  /// - Parameters:
  ///   - object: The object that is expected to be released.
  ///   - label: Its name in reports; by default its type.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject & Sendable>(
    _ object: Object,
    _ label: String = "\(Object.self)",
    fileID: String = #fileID,
    line: Int = #line
  ) -> Object {
    let origin = Origin(label: label, site: "\(fileID):\(line)")
    let isFull = add(Subject(origin: origin, object: WeakObject(object: object))).isFull
    if isFull { strikeOut() }
    return object
  }

  /// Creates an object that lives as long as it is referenced, by a closure that captures it, for example.
  ///
  /// - Parameter label: Its name in reports.
  /// - Returns: The token to capture.
  public func token(_ label: String = "token", fileID: String = #fileID, line: Int = #line) -> Token {
    let origin = Origin(label: label, site: "\(fileID):\(line)")
    return Token(tracker: self, number: add(Subject(origin: origin, object: nil)).number)
  }

  /// A report on the living instances, which passes if there are none.
  public var report: LifetimeReport { LifetimeReport(name, living) }

  /// The number of living instances.
  public var count: Int { living.count }

  /// Suspends until no instance is alive.
  ///
  /// For objects that other code releases at an unknown time, as Dispatch does with blocks that have run.
  ///
  /// - Parameter limit: The longest time to wait. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for
  ///   it.
  /// - Throws: ``DeadlineError``, with the living instances; `CancellationError` if the task is cancelled.
  public func allGone(
    within limit: Duration = .seconds(60),
    fileID: String = #fileID,
    line: Int = #line
  ) async throws {
    do {
      try await eventually("everything is released", within: limit, fileID: fileID, line: line) { count == 0 }
    } catch let error as DeadlineError {
      throw DeadlineError(
        expectation: error.expectation,
        limit: error.limit,
        fileID: fileID,
        line: line,
        state: report.description
      )
    }
  }

  private var living: [Origin] {
    // Examined outside of the lock: this keeps an object for a moment, and may release its last reference.
    let subjects = state.withLock { $0.subjects }
    return subjects.sorted { $0.key < $1.key }.filter(\.value.isAlive).map(\.value.origin)
  }

  private func add(_ subject: Subject) -> (number: Int, isFull: Bool) {
    state.withLock { state in
      state.next += 1
      state.subjects[state.next] = subject
      return (state.next, state.subjects.count >= state.limit)
    }
  }

  fileprivate func remove(_ number: Int) { state.release { $0.subjects.removeValue(forKey: number) } }

  private func strikeOut() {
    let gone = state.withLock { $0.subjects }.filter { !$0.value.isAlive }.map(\.key)
    state.withLock { state in
      for number in gone { state.subjects[number] = nil }
      state.limit = max(64, state.subjects.count * 2)
    }
  }

  /// An object that its tracker counts until its last reference is released.
  public final class Token: Sendable {
    private let tracker: LifetimeTracker
    private let number: Int

    fileprivate init(tracker: LifetimeTracker, number: Int) {
      self.tracker = tracker
      self.number = number
    }

    deinit { tracker.remove(number) }

    /// Does nothing; lets a closure capture the token.
    public func touch() {}
  }
}
