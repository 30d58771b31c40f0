// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Testing

@testable import FetchKit

/// The limit on the number of downloads at a time.
struct TurnstileTests {
  @Test func `it lets in so many, then one for each that leaves, in order`() {
    let turnstile = Turnstile(width: 2)
    let clients = (1...5).map { Future(label: "client \($0)") }
    let turns = clients.map { turnstile.enter(for: $0) }
    #expect(turns.map(\.isCompleted) == [true, true, false, false, false])
    turnstile.leave()
    #expect(turns.map(\.isCompleted) == [true, true, true, false, false])
    turnstile.leave()
    turnstile.leave()
    #expect(turns.map(\.isCompleted) == [true, true, true, true, true])
  }

  @Test func `a place is never given to a client that was cancelled, and never lost`() {
    let turnstile = Turnstile(width: 1)
    let clients = (1...4).map { Future(label: "client \($0)") }
    let turns = clients.map { turnstile.enter(for: $0) }
    clients[1].cancel()
    clients[2].cancel()
    turnstile.leave()
    #expect(turns.map(\.isCompleted) == [true, false, false, true])
    turnstile.leave()
    #expect(turnstile.enter(for: Future(label: "client 5")).isCompleted)
  }

  @Test func `a client that is cancelled when it comes takes no place`() {
    let turnstile = Turnstile(width: 1)
    let client = Future(label: "client")
    client.cancel()
    #expect(turnstile.enter(for: client).isCancelled)
    #expect(turnstile.enter(for: Future(label: "next")).isCompleted)
  }
}
