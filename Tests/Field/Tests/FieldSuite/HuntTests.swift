// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import RaceFreeFutureTesting
import Synchronization
import Testing
import field
import platform
import upstream

struct HuntTests {
  @Test func `each hunt and each defect has a name of its own`() {
    #expect(Set(Hunt.all.map(\.name)).count == Hunt.all.count)
    let defects = Defect.all + Defect.ofPackages
    #expect(Set(defects.map(\.name)).count == defects.count)
  }

  @Test func `ten packages are looked at`() {
    #expect(Set(Hunt.all.map(\.package)).count == 10)
    // Those that were built are told above the table.
    #expect(!Hunt.all.contains { $0.package.contains(#/[0-9]\.[0-9]/#) })
  }

  @Test func `what a hunt knows is expected, and nothing else`() throws {
    let hunt = try #require(Hunt.all.first { $0.name == "operations.dependency" })
    #expect(hunt.expects("a call didn't return") && !hunt.expects("2 rounds ended with 0"))
    #expect(!Hunt.all.contains { $0.expects("deadlock: nothing can continue") })
  }

  @Test func `what is found is told as found`() async {
    let result = await withoutRecording {
      await explored("nobody resumes it") { _ in
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    }
    #expect(!result.holds)
    #expect(result.fault.hasPrefix("deadlock"))
    #expect(result.effort == "1 order")
  }

  @Test func `what isn't found is told with the number of orders`() async {
    let result = await explored("two tasks") { _ in
      async let first: Void = Task.yield()
      async let second: Void = Task.yield()
      _ = await (first, second)
    }
    #expect(result.holds && result.fault.isEmpty)
    #expect(result.effort.hasPrefix("all "))
  }

  @Test func `a race that fails names its outcome`() async {
    let report = await withoutRecording {
      await race(
        "no acceptable outcome",
        .init(rounds: 10),
        make: { 0 },
        actors: { $0 },
        { $0 },
        outcome: { number, _, _ in number },
        expect: [.forbidden(0, "as it should be")]
      )
    }
    let result = Catch(report)
    #expect(!result.holds)
    #expect(result.fault.contains("ended with 0: as it should be"))
  }

  @Test func `a history that fits no model is told`() async {
    let report = await withoutRecording {
      await linearizabilityStress(
        "a wrong model",
        histories: 1,
        make: { Number() },
        model: 0,
        operations: [.init("read", { $0.value.load(ordering: .relaxed) }, model: { $0 })]
      )
    }
    let result = Catch(report)
    #expect(!result.holds && result.fault == "not linearizable")
  }

  @Test(arguments: ["mutex.box", "stream.producers", "channel.finish"])
  func `a hunt through a correct type finds nothing`(_ name: String) async throws {
    let hunt = try #require(Hunt.all.first { $0.name == name })
    let result = await hunt.run()
    #expect(result.holds, "\(result.report)")
  }
}

/// Never written: the model, which says 0, is wrong.
private final class Number: Sendable {
  let value = Atomic(2)
}
