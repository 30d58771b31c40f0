// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import RaceFreeFutureTesting

@Suite struct KeptOrderTests {
  @Test func `The order of a report is kept, however long it is`() async throws {
    let folder = "/tmp/kept-orders-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = KeptFailure(folder: folder, "a name", "explore")
    #expect(kept.order == nil)
    for steps in [3, 200] {
      let report = await explore("it fails") { scenario in
        scenario.actor("a", (0..<steps).map { .init("\($0)") {} })
        scenario.atEnd { "wrong" }
      }
      kept.noteOrder(of: report)
      #expect(kept.order == [Int](repeating: 0, count: steps))
    }
    kept.noteOrder(of: await explore("it passes") { $0.actor("a", .init("step") {}) })
    #expect(kept.order == nil)
  }

  @Test(.exitTests) func `A process that dies in an order says which`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let report = await exploreTasks("resumed twice") { _ in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          for _ in 0..<2 { Task { continuation.resume() } }
        }
      }
      print(report)
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("during explore \"resumed twice\""), "\(errors)")
    #expect(errors.contains(".replay(\"0"), "\(errors)")
  }

  @Test(.exitTests) func `An order that failed is run first the next time`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      unsafe setenv("RACEFREEFUTURE_FAILURES", "/tmp/kept-orders-\(UInt64.random(in: 0 ... .max))", 1)
      for isWrong in [true, true, false, false] {
        let report = await exploreTasks("two tasks") { scenario in
          let log = Variable("")
          let tasks = ["a", "b"].map { name in Task { log.value += name } }
          for task in tasks { await task.value }
          scenario.check(!isWrong || log.value == "ab", log.value)
        }
        print("\(report.orders) \(report.passed) \(report.description.contains("which was run first"))")
      }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let lines = output.split(separator: "\n").map(String.init).filter { $0.hasSuffix("true") || $0.hasSuffix("false") }
    #expect(lines.count == 4 && lines.first?.hasSuffix("false false") == true, "\(output)")
    #expect(lines.dropFirst().first == "1 false true", "\(output)")
    #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix("true false") }, "\(output)")
  }
}
