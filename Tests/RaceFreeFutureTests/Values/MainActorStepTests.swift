// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import TestSupport
import Testing

/// The recipe of the guide for users of PromiseKit.
@Suite struct MainActorStepTests {
  @Test(arguments: [true, false])
  func `a closure of flatMap uses the main actor, whichever thread completes the source`(isEarly: Bool) async throws {
    let (catalog, item) = (Catalog(), ValueFuture<Int>(label: "item"))
    if isEarly { await onThread { item.complete(with: 7) } }
    let page = page(of: item, in: catalog)
    if !isEarly { await onThread { item.complete(with: 7) } }
    #expect(try await page.value == "page 7")
    #expect(await catalog.opened == [7])
  }

  @Test func `it doesn't run if the new future was cancelled before`() async {
    let (catalog, item) = (Catalog(), ValueFuture<Int>(label: "item"))
    let page = page(of: item, in: catalog)
    page.cancel()
    item.complete(with: 7)
    // What was enqueued before has run.
    await MainActor.run {}
    #expect(item.isCancelled)
    #expect(await catalog.opened == [])
  }
}
