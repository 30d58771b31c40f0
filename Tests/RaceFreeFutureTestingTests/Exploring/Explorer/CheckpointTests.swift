// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring
@testable import RaceFreeFutureTestingTools

@Suite struct CheckpointTests {
  @Test func `An archive returns what was written`() {
    func pass(_ numbers: inout [Int8], _ text: inout String, _ flag: inout Bool?, through archive: inout Archive) {
      archive.pass(&numbers, of: 0) { $0.pass(&$1) }
      archive.pass(&text)
      archive.pass(&flag, of: false) { $0.pass(&$1) }
    }
    var (numbers, text, flag): ([Int8], String, Bool?) = ([1, -2, 3], "näh", true)
    var archive = Archive()
    pass(&numbers, &text, &flag, through: &archive)
    var reading = Archive(reading: archive.numbers)
    (numbers, text, flag) = ([7], "", nil)
    pass(&numbers, &text, &flag, through: &reading)
    #expect(numbers == [1, -2, 3] && text == "näh" && flag == true && reading.isAtEnd)
  }

  @Test(arguments: [OrderSearch.Expansion.alternatives, .reversals])
  func `A search that is written and read now and then runs all orders, each once`(
    _ expansion: OrderSearch.Expansion
  ) {
    let (whole, parts) = (orders(expansion, isArchived: false), orders(expansion, isArchived: true))
    #expect(whole == parts && Set(parts).count == parts.count && parts.count > 10)
  }

  /// Runs three lines of which two steps each have something in common.
  private func orders(_ expansion: OrderSearch.Expansion, isArchived: Bool) -> [[Int]] {
    var (search, orders) = (OrderSearch(limit: 10_000, expansion), [[Int]]())
    while let start = search.next() {
      var (left, trail) = ([3, 3, 3], OrderTrail())
      while case let choices = left.indices.filter({ left[$0] > 0 }), !choices.isEmpty {
        let line = start.line(at: trail.count) ?? OrderSearch.goOn(trail.on.last, choices) ?? 0
        left[line] -= 1
        let things: [Footprint.Thing] = [.named("a"), .primitive(line), .named("b")]
        var footprint = Footprint(things[left[line]], .write)
        if expansion == .alternatives { footprint = .anything }
        trail.append(line, of: choices, footprint)
      }
      orders.append(trail.chosen)
      search.add(trail, of: start)
      guard isArchived, orders.count < 8 || orders.count.isMultiple(of: 25) else { continue }
      var archive = Archive()
      search.pass(through: &archive)
      var reading = Archive(reading: archive.numbers)
      search = OrderSearch(limit: 10_000, expansion)
      search.pass(through: &reading)
      #expect(reading.isAtEnd)
    }
    #expect(search.sharedCount == 0)
    return orders
  }

  // MARK: Processes

  private static let folder = NSTemporaryDirectory() + "checkpoints-\(UUID().uuidString)"

  @Test(.exitTests) func `A search that was stopped goes on in the next process, and counts each order once`()
    async throws
  {
    let folder = Self.folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let stopped = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      [folder = folder as String] in
      await CheckpointTests.explore(in: folder, killsAt: 40)
    }
    let limited = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [folder = folder as String] in
      await CheckpointTests.explore(in: folder, for: .zero)
    }
    let rest = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [folder = folder as String] in
      await CheckpointTests.explore(in: folder)
    }
    let texts = [stopped, limited, rest].map { String(decoding: $0?.standardOutputContent ?? [], as: UTF8.self) }
    let runs = texts.map { $0.split(separator: "\n").filter { $0.hasPrefix("order ") } }
    #expect(runs[0].count == 40 && runs[1].count == 1 && runs[2].count < 90, "\(texts)")
    #expect(Set(runs.joined()).count == 90 && texts[1].contains("and the next run goes on from here"), "\(texts)")
    #expect(texts[2].contains("90 orders, all that there are") && texts[2].contains("were run earlier"), "\(texts)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".checkpoint") } == [])
  }

  /// Explores in the environment of a checkpoint, and prints what is run.
  static func explore(in folder: String, for duration: Duration? = nil, killsAt last: Int = .max) async {
    unsafe setenv(Checkpoint.variable, folder, 1)
    let count = Variable(0)
    let search = Search.exhaustive(for: duration)
    let explorer = Explorer(
      "it goes on",
      search,
      notesEvery: .zero,
      .steps { scenario in
        let log = Variable("")
        for name in ["a", "b", "c"] {
          scenario.actor(name, .init("1") { log.value += name }, .init("2") { log.value += name })
        }
        scenario.atEnd {
          print("order \(log.value)")
          count.value += 1
          if count.value == last {
            fflush(nil)
            kill(getpid(), SIGKILL)
          }
          return nil
        }
      }
    )
    let report = await explorer.run()
    print(report.description.replacing("\n", with: " "))
    precondition(report.passed)
  }
}
