// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct LifetimeTrackerTests {
  private final class Download: Sendable {}

  @Test func `what is alive is reported with its label and place`() async throws {
    let tracker = LifetimeTracker("downloads")
    var kept: Download? = tracker.track(Download())
    var token: LifetimeTracker.Token? = tracker.token("a handler")
    _ = tracker.track(Download(), "gone at once")
    let report = tracker.report
    #expect(!report.passed && report.count == 2 && tracker.count == 2)
    #expect(report.description.hasPrefix("FAILED  downloads: 2 instances are still alive"))
    #expect(report.description.contains("Download   tracked at RaceFreeFutureTestingTests/LifetimeTrackerTests.swift:"))
    #expect(report.description.contains("a handler  tracked at"), "\(report)")
    #expect(!report.description.contains("gone at once"))
    _ = consume kept
    kept = nil
    token?.touch()
    token = nil
    tracker.report.record()
    try await tracker.allGone()
    #expect(kept == nil && token == nil)
  }

  @Test func `many of one place take one line`() {
    let tracker = LifetimeTracker("handlers")
    let tokens = (0..<1_000).map { _ in tracker.token("handler") }
    #expect(tracker.report.description.contains("1,000 "), "\(tracker.report)")
    #expect(tracker.report.description.split(separator: "\n").count == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test func `objects that are gone are forgotten, and those that stay are not`() {
    let tracker = LifetimeTracker("downloads")
    let kept = (0..<100).map { _ in
      _ = tracker.track(Download(), "short")
      return tracker.track(Download(), "long")
    }
    for _ in 0..<1_000 { _ = tracker.track(Download(), "short") }
    #expect(tracker.count == 100)
    withExtendedLifetime(kept) {}
  }

  @Test func `at the deadline the error says who is alive`() async {
    let tracker = LifetimeTracker("downloads")
    let kept = tracker.token("a handler")
    let error = await #expect(throws: DeadlineError.self) { try await tracker.allGone(within: .milliseconds(1)) }
    #expect(error?.description.contains("a handler") == true)
    withExtendedLifetime(kept) {}
  }
}
