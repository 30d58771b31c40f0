// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Five programs that compare clocks with deadlines of their own, each with a mistake and mended.
enum TimePrograms {
  static let all: [(wrong: AsyncProgram, right: AsyncProgram)] = [poll, debounce, timeout, expiry, backoff]

  // MARK: A poll until a deadline

  private static let poll = pair("a poll asks once more at its deadline", fails: "it asked") { isMended, scenario in
    let asked = Variable(0)
    let ready = Variable(false)
    let other = Task {
      try? await Task.sleep(for: .seconds(60))
      ready.value = true
    }
    let deadline = ContinuousClock.now + .seconds(60)
    var answer = false
    while ContinuousClock.now < deadline {
      asked.value += 1
      answer = ready.value
      if answer { break }
      try await Task.sleep(for: .seconds(20))
    }
    if isMended, !answer {
      await other.value
      answer = ready.value
    }
    scenario.check(answer && asked.value == 3, "it asked \(asked.value) times, and the answer was \(answer)")
  }

  // MARK: A debounce

  /// Passes an event on when no other has come for a while.
  private actor Debouncer {
    private var latest: ContinuousClock.Instant?
    private(set) var passedOn: [Int] = []
    private let isMended: Bool
    private static let quiet = Duration.milliseconds(300)

    init(isMended: Bool) { self.isMended = isMended }

    func event(_ number: Int) async throws {
      latest = .now
      // The mistake: an event that comes later doesn't count for those that sleep already.
      let mine = latest
      try await Task.sleep(for: Self.quiet)
      let isQuiet = isMended ? latest == mine : (latest?.duration(to: .now) ?? .zero) <= Self.quiet
      if isQuiet { passedOn.append(number) }
    }
  }

  private static let debounce = pair("the last of some events is passed on", fails: "[1, 2]") { isMended, scenario in
    let debouncer = Debouncer(isMended: isMended)
    async let first: Void = debouncer.event(1)
    try await Task.sleep(for: .milliseconds(100))
    async let second: Void = debouncer.event(2)
    _ = try await (first, second)
    let passedOn = await debouncer.passedOn
    scenario.check(passedOn == [2], "\(passedOn) were passed on")
  }

  // MARK: A timeout beside work

  private struct TooLate: Error {}

  private static func within<T: Sendable>(
    _ limit: Duration,
    isMended: Bool,
    _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask { try await work() }
      group.addTask {
        let began = DispatchTime.now()
        try await Task.sleep(for: limit)
        let passed = DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds
        guard Duration.nanoseconds(Int64(passed)) >= limit else { throw CancellationError() }
        throw TooLate()
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      // The mistake: the loser is awaited before the winner is returned, and its error replaces the value.
      if !isMended { _ = try await group.next() }
      return first
    }
  }

  private static let timeout = pair("work that is in time has its value", fails: "TooLate") { isMended, scenario in
    let value = try await within(.seconds(10), isMended: isMended) {
      try await Task.sleep(for: .seconds(9))
      return 7
    }
    scenario.check(value == 7, "the value is \(value)")
  }

  // MARK: A cache that expires

  private actor Cache {
    private var entry: (value: Int, expires: Date)?
    private let isMended: Bool
    private(set) var loads = 0

    init(isMended: Bool) { self.isMended = isMended }

    func value() async throws -> (value: Int, loaded: Date) {
      if let entry, entry.expires > Date() { return (entry.value, entry.expires - 10) }
      loads += 1
      let (load, before) = (loads, Date())
      try await Task.sleep(for: .seconds(4))
      // The mistake: the value is as old as its request, not as its answer.
      let loaded = isMended ? before : Date()
      entry = (load, loaded + 10)
      return (load, loaded)
    }
  }

  private static let expiry = pair("a cached value is younger than ten seconds", fails: "12") { isMended, scenario in
    let cache = Cache(isMended: isMended)
    let began = Date()
    _ = try await cache.value()
    try await Task.sleep(for: .seconds(8))
    let again = try await cache.value()
    let age = Date().timeIntervalSince(began)
    if again.value == 1 { scenario.check(age < 10, "the value is \(Int(age)) seconds old") }
  }

  // MARK: Retries with backoff

  private static let backoff = pair("retries end after a minute", fails: "63") { isMended, scenario in
    let began = ContinuousClock.now
    let limit = Duration.seconds(60)
    var pause = Duration.seconds(1)
    var tries = 0
    while began.duration(to: .now) < limit {
      tries += 1
      if tries == 8 { break }
      // The mistake: the last pause goes beyond the limit.
      try await Task.sleep(for: isMended ? min(pause, limit - began.duration(to: .now)) : pause)
      pause *= 2
    }
    let passed = began.duration(to: .now)
    scenario.check(passed <= limit, "it gave up after \(passed)")
  }

  private static func pair(
    _ name: String,
    fails failure: String,
    _ body: @escaping @Sendable @concurrent (_ isMended: Bool, TaskScenario) async throws -> Void
  ) -> (wrong: AsyncProgram, right: AsyncProgram) {
    (
      AsyncProgram(name, fails: failure) { try await body(false, $0) },
      AsyncProgram("\(name) (mended)") { try await body(true, $0) }
    )
  }
}
