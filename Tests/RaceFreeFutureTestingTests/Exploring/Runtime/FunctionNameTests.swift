// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

@Suite struct FunctionNameTests {
  @Test(arguments: [
    ("(2) await resume partial function for main.Cache.image(Swift.String) async -> Swift.Int", "Cache.image(…)"),
    ("(1) suspend resume partial function for closure #1 () async -> () in static p.M.main() async -> ()", "M.main()"),
    (
      "partial apply forwarder for closure #1 @Sendable (A) async throws -> Swift.Int in closure #2 () -> () in p.stall() async -> ()",
      "stall()"
    ),
    ("closure #1 () async -> () in static main.Box.pair : (one: Swift.Int, other: Swift.Int)", "Box.pair"),
    ("main.Box.value.getter : Swift.Int", "Box.value"),
    ("function signature specialization <Arg[0] = Dead> of static main.Box.value.getter : [Swift.Int]", "Box.value"),
    ("closure #1 (Swift.Int) -> () in variable initialization expression of static main.Box.all : ()", "Box.all"),
    ("main.(Gate in _0123456789ABCDEF).(open in _0123456789ABCDEF)() -> ()", "Gate.open()"),
    (
      "(extension in main):Swift.Array.first<A where A: Swift.Sendable>(of: (A) -> Swift.Bool) async -> A?",
      "Array.first(…)"
    ),
    (
      "async function pointer to closure #1 () async -> () in Tests.Suite.a sentence in raw words() async -> ()",
      "Suite.a sentence in raw words()"
    ),
  ])
  func `A symbol is told as people write it`(symbol: String, path: String) {
    #expect(FunctionName(symbol)?.path == path)
    #expect(FunctionName(symbol)?.isClosure == symbol.contains("closure #"))
  }

  @Test(arguments: [
    "_ZL31task_future_wait_resume_adapterPN5swift12AsyncContextE", "main",
    "partial apply forwarder for reabstraction thunk helper <A> from @escaping () async -> () to @escaping () -> ()",
  ])
  func `What isn't a function of Swift has no name`(symbol: String) {
    #expect(FunctionName(symbol) == nil)
  }
}
