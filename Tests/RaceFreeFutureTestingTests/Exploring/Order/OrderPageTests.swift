// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureExploring
@testable import RaceFreeFutureTestingTools

@Suite struct OrderPageTests {
  @Test func `The picture has a lane for each line of work, and a box for each step`() {
    var rows = [OrderDiagram.Row(line: nil, text: "", state: "empty")]
    for (line, text) in [(0, "a<b>()"), (2, "stop & wait"), (0, "ends")] {
      rows.append(OrderDiagram.Row(line: line, text: text, state: "\(line)"))
    }
    var diagram = OrderDiagram(titles: ["Box<Int>", "unused", "\"two\""], actors: 0..<1, rows: rows, style: .ascii)
    diagram.deciding = 2
    let svg = diagram.svg(marksLast: true)
    #expect(svg.ranges(of: "class=\"lane\"").count == 2)
    #expect(svg.ranges(of: "<g class=\"step").count == 3)
    for text in ["Box&lt;Int&gt;", "&quot;two&quot;", "a&lt;b&gt;()", "stop &amp; wait", "empty"] {
      #expect(svg.contains(">\(text)</text>"), "\(text)")
    }
    #expect(!svg.contains("unused"))
    #expect(svg.contains("<g class=\"step decides\">") && svg.contains(">▸ 2</text>"))
    #expect(svg.contains("<g class=\"step fails\">") && svg.contains(">✗ 3</text>"))
    #expect(!svg.contains("arrow") && !svg.contains("held") && !diagram.svg().contains("fails"))
  }

  @Test func `Arrows lead to what a step continues and cancels; locks and old values are marked`() {
    var rows = [
      OrderDiagram.Row(line: 0, text: "lock m"),
      OrderDiagram.Row(line: 1, text: "load", answer: "0\(OrderDiagram.outOfDate)"),
      OrderDiagram.Row(line: 0, text: "ends"),
    ]
    rows[0].locks = [0: ["m"], 1: []]
    rows[1].maker = 0
    rows[2].cancelled = [1, 5]
    let diagram = OrderDiagram(titles: ["a", "b", "", "", "", "c"], actors: 0..<2, rows: rows, style: .unicode)
    let svg = diagram.svg()
    #expect(svg.ranges(of: "class=\"makes arrow\"").count == 1)
    #expect(svg.contains("<title>step 0 of a makes or continues step 1 of b</title>"))
    #expect(svg.ranges(of: "class=\"cancels arrow\"").count == 1 && svg.contains("<title>a cancels b</title>"))
    #expect(svg.ranges(of: "class=\"held\"").count == 1 && svg.contains("<title>a holds m</title>"))
    #expect(svg.contains("class=\"lock\"") && svg.contains(">holds m</text>"))
    #expect(svg.contains("class=\"stale\""))
    let notes = diagram.notes().joined(separator: "\n")
    #expect(notes.contains("solid arrow") && notes.contains("dashed arrow") && notes.contains("lock"))
  }

  @Test func `A long order is drawn whole, up to a number of steps that a browser can show`() {
    let rows = (0..<(OrderDiagram.mostDrawn + 7)).map { OrderDiagram.Row(line: 0, text: "step \($0)") }
    let diagram = OrderDiagram(titles: ["a"], actors: 0..<1, rows: rows, style: .unicode)
    #expect(diagram.svg().ranges(of: "<g class=\"step").count == OrderDiagram.mostDrawn)
    #expect(diagram.notes().last == "Left out: 7 earlier steps.")
    #expect(OrderDiagram(titles: ["a"], actors: 0..<1, rows: [], style: .unicode).svg().hasPrefix("<svg"))
  }

  @Test(.withoutRecording) func `An order of steps that fails is drawn beside one that passes`() async throws {
    let report = await explore("nobody leaves <early>") { scenario in
      let log = EventLog<String>()
      scenario.actor("one", .init("arrives") { log.add("in") }, .init("looks") { log.add("look") })
      scenario.actor("two", .init("leaves") { log.add("out") })
      scenario.atEnd { log.events == ["in", "out", "look"] ? "gone" : nil }
    }
    let page = try #require(report.page)
    keep(page)
    #expect(page.figures.count == 2)
    let html = page.html
    #expect(html.contains("nobody leaves &lt;early&gt;") && !html.contains("<early>"))
    for step in ["arrives", "looks", "leaves"] { #expect(html.ranges(of: ">\(step)</text>").count == 2, "\(step)") }
    #expect(html.ranges(of: "class=\"step decides\"").count == 1 && html.ranges(of: "fails\">").count == 1)
    #expect(html.contains("it differs from step 2 on"))
    #expect(html.contains(".replay(&quot;\(report.order ?? "?")&quot;)"))
  }

  @Test(.withoutRecording) func `An order that passes has no picture, nor has a failure without an order`() async {
    let passed = await explore("passes") { $0.actor("one", .init("acts") {}) }
    #expect(passed.passed && passed.page == nil)
    #expect(await explore("nobody") { _ in }.page == nil)
  }

  @Test(.withoutRecording) func `An arrow leads from the completion of a future to its handler`() async throws {
    let report = await explore("handlers") { scenario in
      let loading = Future(label: "load")
      loading.onComplete(on: .main) {}
      scenario.actor("network", .init("completes") { loading.complete() })
      scenario.atEnd { "always" }
    }
    let html = try #require(report.page).html
    #expect(html.contains("<title>step 1 of network makes or continues step 2 of main</title>"), "\(html)")
  }

  @Test(.withoutRecording) func `In an order of threads, an old value stands out`() async throws {
    let report = await explore("message") { scenario in
      let data = Explored.Atomic(0)
      let isReady = Explored.Atomic(false)
      let log = EventLog<Int>()
      scenario.thread("writer") {
        data.store(1, ordering: .relaxed)
        isReady.store(true, ordering: .relaxed)
      }
      scenario.thread("reader") {
        if isReady.load(ordering: .acquiring) { log.add(data.load(ordering: .relaxed)) }
      }
      scenario.atEnd { log.events == [0] ? "it is lost" : nil }
    }
    let page = try #require(report.page)
    keep(page)
    #expect(page.html.contains("class=\"stale\"") && page.figures.count == 2, "\(page.html)")
  }

  @Test(.withoutRecording) func `In an order of threads, locks are drawn`() async throws {
    let line = #line + 4
    let report = await explore("locks") { scenario in
      let one = Explored.Mutex(0)
      let two = Explored.Mutex(0)
      scenario.thread("up") { one.withLock { _ in two.withLock { $0 += 1 } } }
      scenario.thread("down") { two.withLock { _ in one.withLock { $0 += 1 } } }
    }
    let page = try #require(report.page)
    let html = page.html
    #if os(Linux)
      #expect(html.contains("class=\"place\"") && html.contains(">OrderPageTests.swift:\(line)</text>"), "\(html)")
    #endif
    #expect(html.contains("up holds mutex 1") && html.contains("down holds mutex 2"), "\(html)")
    #expect(html.contains("mutex 1: ") && html.contains("OrderPageTests.swift:"))
    keep(page)
  }

  #if os(Linux) && DEBUG
    @Test(.withoutRecording) func `In an order of tasks, arrows lead to those that are made, continued and cancelled`()
      async throws
    {
      let line = #line + 4
      let report = await exploreTasks("cancelled") { scenario in
        let task = Task { try? await Task.sleep(for: .seconds(1)) }
        let other = Task { task.cancel() }
        await other.value
        scenario.check(!task.isCancelled, "cancelled")
      }
      let page = try #require(report.page)
      let html = page.html
      #expect(html.contains(">OrderPageTests.swift:\(line)</text>"), "\(html)")
      #expect(html.contains("class=\"makes arrow\"") && html.contains("makes or continues"), "\(html)")
      #expect(html.contains("class=\"cancels arrow\"") && html.contains("cancels task"), "\(html)")
      keep(page)
    }
  #endif

  /// Writes a page into the folder that `RACEFREEFUTURE_REPORT` names: `Scripts/pages.py` looks at them in a browser.
  private func keep(_ page: ReportPage, line: Int = #line) {
    _ = page.write(at: CallSite(fileID: #fileID, filePath: #filePath, line: line, column: 1))
  }
}
