// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ExploreTests {
  // MARK: Which orders

  @Test(arguments: [([2, 2], 6), ([4, 4], 70), ([3, 3, 3], 1_680), ([1, 2, 3], 60), ([8], 1)])
  func `Every order is run, and each once`(sizes: [Int], count: Int) async {
    let orders = Variable<Set<String>>([])
    let report = await explore("all orders") { scenario in
      let order = Variable("")
      for (actor, size) in sizes.enumerated() {
        scenario.actor("\(actor)", (0..<size).map { _ in .init("step") { order.value += "\(actor)" } })
      }
      scenario.atEnd { orders.value.insert(order.value).inserted ? nil : "\(order.value) came twice" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(report.orders == count)
    #expect(orders.value.count == count)
  }

  @Test func `Actors that are tasks have the same orders as lists of steps`() async {
    let report = await explore("all orders") { scenario in
      for name in ["a", "b", "c"] {
        scenario.actor(name) { actor in
          for step in 1...3 { await actor.step("step \(step)") {} }
        }
      }
    }
    #expect(report.passed && report.isComplete && report.orders == 1_680, "\(report)")
  }

  @Test func `Those with fewer forced switches come first`() async {
    let last = Variable(0)
    let report = await explore("fewest switches first") { scenario in
      let order = Variable<[Int]>([])
      for actor in 0..<2 {
        scenario.actor("\(actor)", (0..<3).map { _ in .init("step") { order.value.append(actor) } })
      }
      scenario.atEnd {
        // The end of an actor is no forced switch.
        let chosen = order.value
        let forced = chosen.indices.dropFirst().count { chosen[$0] != chosen[$0 - 1] && chosen[$0...].contains(chosen[$0 - 1]) }
        defer { last.value = forced }
        return forced < last.value ? "\(forced) after \(last.value)" : nil
      }
    }
    #expect(report.passed && report.orders == 20, "\(report)")
    #expect(last.value == 4)
  }

  @Test func `Beyond the limit a quarter is drawn at random, and the report says so`() async {
    let report = await explore("too many", .exhaustive(maxOrders: 400), seed: 7) { scenario in
      for name in ["a", "b", "c"] { scenario.actor(name, (0..<6).map { .init("step \($0)") {} }) }
    }
    #expect(report.passed && !report.isComplete && report.orders == 400)
    #expect(
      report.description == """
        explore "too many" passed: 400 orders, not all that there are: all with at most 1 forced switch, 300 with the fewest \
        switches, 100 at random with seed 7
        """.wrappedForTest
    )
  }

  // MARK: Seeded faults

  @Test func `A check that is acted upon a step later is found, in the shortest order`() async throws {
    let report = await explore("only one of the two wins") { scenario in
      let wins = Variable(0)
      let outcome = Variable<String?>(nil)
      for name in ["complete", "cancel"] {
        scenario.actor(name) { actor in
          let isFree = await actor.step("is it free?") { outcome.value == nil }
          guard isFree else { return }
          await actor.step("take it") {
            outcome.value = name
            wins.value += 1
          }
        }
      }
      scenario.invariant { wins.value > 1 ? "both have won" : nil }
      scenario.state { "\(wins.value) won" }
    }
    #expect(report.failure == "both have won")
    #expect(report.orders <= 4 && report.steps == 4)
    #expect(report.order == "0110")
    print(report)
  }

  @Test func `A handler that runs after its view has gone is found`() async throws {
    let report = await explore("a view that is gone is not touched") { scenario in
      let (isGone, touched) = (Variable(false), Variable(false))
      let future = Future(label: "load")
      future.onComplete(on: .main) { touched.value = isGone.value }
      scenario.actor("network", .init("complete()") { future.tryComplete() })
      scenario.actor("user", .init("cancel()") { future.tryCancel() }, .init("the view goes") { isGone.value = true })
      scenario.atEnd { touched.value ? "the handler touched a view that was gone" : nil }
      scenario.state { "\(future)" }
    }
    #expect(report.failure == "the handler touched a view that was gone")
    print(report)
  }
}

extension String {
  var wrappedForTest: String { self }
}
