import Testing
@testable import RaceFreeFuture
@Test func `x`() { let f = Future(); f.complete(); #expect(f.isCompleted) }
