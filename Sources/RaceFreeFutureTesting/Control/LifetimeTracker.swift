// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Knows which instances are alive, and who made them.
///
/// ```swift
/// let tracker = LifetimeTracker("downloads")
/// do {
///   let download = tracker.track(Download(), "the download")
///   let token = tracker.token("its handler")
///   download.onComplete { token.touch() }
/// }
/// try tracker.report.verify()
/// ```
///
/// Objects are tracked by weak references. What isn't an object, such as a closure, captures a ``Token``.
public final class LifetimeTracker: Sendable {
  /// How reports name it.
  public let name: String

  private let state = Locked(State())

  private struct State: Sendable {
    var next = 0
    var subjects: [Int: Subject] = [:]
    /// At so many objects those that are gone are struck out, which takes constant time for each on average.
    var limit = 64
  }

  private struct Subject: Sendable {
    let origin: Origin
    /// Nil for a token, which strikes itself out.
    let object: WeakObject?
    var isAlive: Bool { object == nil || object?.object != nil }
  }

  private struct WeakObject: Sendable {
    weak let object: (any AnyObject & Sendable)?
  }

  /// Something that was tracked: its label, and where that was said.
  struct Origin: Hashable, Sendable {
    let label: String
    let site: String
  }

  /// Makes a tracker of nothing.
  public init(_ name: String = "the tracker") { self.name = name }

  /// Tracks an object, without keeping it, and returns it.
  ///
  /// - Parameters:
  ///   - object: What is to be gone some day.
  ///   - label: How reports name it; by default its type.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
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

  /// Makes an object that is alive as long as somebody keeps it: a closure that captures it, for example.
  ///
  /// - Parameters:
  ///   - label: How reports name it.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  /// - Returns: What is to be captured.
  public func token(_ label: String = "token", fileID: String = #fileID, line: Int = #line) -> Token {
    let origin = Origin(label: label, site: "\(fileID):\(line)")
    return Token(tracker: self, number: add(Subject(origin: origin, object: nil)).number)
  }

  /// What is alive now, as a report that passes if nothing is.
  public var report: LifetimeReport { LifetimeReport(name, living) }

  /// How many instances are alive now.
  public var count: Int { living.count }

  /// Suspends until nothing is alive any more.
  ///
  /// For what others release in their own time, as Dispatch does with blocks that have run.
  ///
  /// - Parameters:
  ///   - limit: For how long. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``DeadlineError``, with what is alive; `CancellationError` if the task is cancelled.
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
    // Looked at outside of the lock: the look keeps an object for a moment, and may be the last to let it go.
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

  fileprivate func remove(_ number: Int) { _ = state.withLock { $0.subjects.removeValue(forKey: number) } }

  private func strikeOut() {
    let gone = state.withLock { $0.subjects }.filter { !$0.value.isAlive }.map(\.key)
    state.withLock { state in
      for number in gone { state.subjects[number] = nil }
      state.limit = max(64, state.subjects.count * 2)
    }
  }

  /// An object that its tracker counts until its last reference goes.
  public final class Token: Sendable {
    private let tracker: LifetimeTracker
    private let number: Int

    fileprivate init(tracker: LifetimeTracker, number: Int) {
      self.tracker = tracker
      self.number = number
    }

    deinit { tracker.remove(number) }

    /// Does nothing, for closures that need to mention what they keep.
    public func touch() {}
  }
}
