// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The recipe in the guide Background, lazy and implicit futures: `BlockingRecipe.swift`.
@Suite struct BlockingRecipeTests {
  private let mayGoOn = Gate("what blocks may go on")

  @Test func `a scope shuts down while fifty works block`() async throws {
    let begun = EventLog<Int>()
    let works = (0..<50).map { [mayGoOn] number in
      blocking(on: DispatchQueue(label: "disk \(number)")) { _ in
        begun.add(number)
        mayGoOn.wait()
        return number
      }
    }
    try await begun.wait(for: 50)
    let scope = Scope(label: "service")
    for _ in 0..<10 {
      scope.addTask {
        _ = await scope.stopToken.outcome
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    scope.onCancelTask { _ in
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
    try await scope.shutDown(gracefully: .seconds(1_000), cancelling: .seconds(1_000))
    for work in works { #expect(work.isPending) }
    mayGoOn.open()
    for (number, work) in works.enumerated() { #expect(try await work.value == number) }
  }

  @Test func `what is cancelled before its turn never runs, and what runs is waited for`() async throws {
    let queue = DispatchQueue(label: "disk")
    let (begun, ran) = (Gate("it has begun"), EventLog<Int>())
    let first = blocking(on: queue, label: "first") { [mayGoOn] token in
      begun.open()
      mayGoOn.wait()
      ran.add(1)
      try token.checkCancellation()
    }
    let second = blocking(on: queue) { _ in ran.add(2) }
    await begun.passed()
    first.cancel()
    second.cancel()
    let error = try await #require(throws: DrainError.self) { try await first.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.activity("blocking work")])
    mayGoOn.open()
    await first.drain()
    await second.drain()
    #expect(ran.events == [1])
  }

  @Test func `an error is the failure`() async {
    let work = blocking(on: DispatchQueue(label: "disk")) { _ in throw Reason("no disk") }
    await #expect(throws: Reason("no disk")) { try await work.value }
  }
}
