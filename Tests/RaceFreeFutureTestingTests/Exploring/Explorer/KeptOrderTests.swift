// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct KeptOrderTests {
  @Test(.withoutRecording) func `The order of a report is kept, however long it is`() async throws {
    let folder = "/tmp/kept-orders-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = KeptFailure(folder: folder, "a name", "explore")
    #expect(kept.order == nil)
    for steps in [3, 200, 70_000] {
      let report = await explore("it fails", .exhaustive(maxSteps: 100_000)) { scenario in
        scenario.actor("a", (0..<steps).map { .init("\($0)") {} })
        scenario.atEnd { "wrong" }
      }
      kept.note(report)
      #expect(kept.order == [Int](repeating: 0, count: steps))
    }
    kept.note(await explore("it passes") { $0.actor("a", .init("step") {}) })
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

  @Test(.exitTests) func `A process that dies in an order keeps it, and the next one runs it first`() async throws {
    let folder = "/tmp/kept-orders-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for isFirst in [true, false] {
      let result = await #expect(
        processExitsWith: .failure,
        observing: [\.standardErrorContent]
      ) { [folder = folder as String] in
        unsafe setenv("RACEFREEFUTURE_FAILURES", folder, 1)
        let report = await exploreTasks("b before a") { scenario in
          printToStandardError("an order")
          let log = Variable("")
          let tasks = ["a", "b"].map { name in Task { log.value += name } }
          for task in tasks { await task.value }
          if log.value == "ba" { fatalError("it dies") }
        }
        print(report)
      }
      let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let orders = errors.split(separator: "\n").count { $0 == "an order" }
      #expect(isFirst ? orders > 1 : orders == 1, "\(errors)")
      let kept = KeptFailure(folder: folder, "b before a", "explore")
      #expect(kept.order?.isEmpty == false && errors.contains("during explore \"b before a\""), "\(errors)")
    }
  }

  @Test(.exitTests) func `The order is whole however many lines it has`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await explore("many lines") { scenario in
        for line in 0..<70 { scenario.actor("\(line)", .init("step") { if line == 69 { fatalError("it dies") } }) }
      }
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let order = (0..<70).map(String.init).joined(separator: ".")
    #expect(errors.contains(".replay(\"\(order)\")\n"), "\(errors)")
  }

  @Test(.exitTests) func `An order that failed is run first the next time`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      unsafe setenv("RACEFREEFUTURE_FAILURES", "/tmp/kept-orders-\(UInt64.random(in: 0 ... .max))", 1)
      for isWrong in [true, true, false, false] {
        let report = await withoutRecording {
          await exploreTasks("two tasks") { scenario in
            let log = Variable("")
            let tasks = ["a", "b"].map { name in Task { log.value += name } }
            for task in tasks { await task.value }
            scenario.check(!isWrong || log.value == "ab", log.value)
          }
        }
        print("\(report.orders) \(report.failure == nil) \(report.description.contains("which was run first"))")
      }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let lines = output.split(separator: "\n").map(String.init).filter { $0.hasSuffix("true") || $0.hasSuffix("false") }
    #expect(lines.count == 4 && lines.first?.hasSuffix("false false") == true, "\(output)")
    #expect(lines.dropFirst().first == "1 false true", "\(output)")
    #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix("true false") }, "\(output)")
  }
}
