// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring
@testable import RaceFreeFutureTestingTools

@Suite struct OrderDiagramTests {
  private func row(_ line: Int?, _ text: String, _ answer: String? = nil, _ state: String? = nil) -> OrderDiagram.Row {
    OrderDiagram.Row(line: line, text: text, answer: answer, state: state)
  }

  @Test func `Actors come first, and lines in which nothing happened are left out`() {
    let diagram = OrderDiagram(
      titles: ["main", "unused", "a", "b"],
      actors: 2..<4,
      rows: [row(nil, ""), row(3, "go", "true"), row(0, "handler"), row(2, "stop")],
      style: .ascii
    )
    #expect(
      diagram.lines(marksLast: true) == [
        "     a    | b          | main",
        "    ------+------------+---------",
        "  1       | go -> true |",
        "  2       |            | handler",
        "x 3  stop |            |",
      ]
    )
  }

  @Test func `It never gets wider than the page`() {
    let long = String(repeating: "word ", count: 60)
    for count in [1, 3, 6, 12] {
      let rows = (0..<count).map { row($0, long, long, long) }
      let diagram = OrderDiagram(titles: (0..<count).map { "\(long)\($0)" }, actors: 0..<1, rows: rows, style: .unicode)
      let lines = diagram.lines(marksLast: false)
      #expect(lines.allSatisfy { $0.count <= 110 } && lines.count == count + 2)
    }
  }

  @Test func `Of a long order the end is shown`() {
    let rows = (0..<500).map { row(0, "step \($0)") }
    let lines = OrderDiagram(titles: ["a"], actors: 0..<1, rows: rows, style: .unicode).lines(marksLast: true)
    #expect(lines.count < 50)
    #expect(lines.contains("… 460 steps are left out here") && lines.last?.contains("step 499") == true)
  }

  @Test func `Of a long order with switches what is near them is shown`() {
    var rows = (0..<64).map { row($0 / 2, "step \($0)") }
    for forced in [1, 3] { rows[forced].isForced = true }
    let titles = (0..<32).map { "\($0)" }
    let lines = OrderDiagram(titles: titles, actors: 0..<32, rows: rows, style: .unicode).lines(marksLast: true)
    #expect(lines.count <= 10 && lines.contains { $0.hasPrefix("… 57 steps, in which each") }, "\(lines)")
    #expect(lines.last?.contains("step 63") == true)
  }

  @Test func `Steps that differ only in a number take one line`() {
    let rows = [row(nil, "")] + (0..<12).map { row($0, "calls") } + [row(12, "ends")]
    let titles = (1...12).map { $0 == 1 ? "task" : "task #\($0)" } + ["body"]
    let diagram = OrderDiagram(titles: titles, actors: 12..<13, rows: rows, style: .ascii, deciding: 12)
    #expect(
      diagram.lines(marksLast: true) == [
        "      who          | what",
        "     --------------+-------",
        "1-11  task ... #11 | calls",
        "> 12  task #12     | calls",
        "x 13  body         | ends",
      ]
    )
  }

  @Test func `A text on several lines takes one`() {
    let lines = OrderDiagram(titles: ["a"], actors: 0..<1, rows: [row(0, "x\ny")], style: .ascii).lines(
      marksLast: false
    )
    #expect(lines.last == " 0  x\\ny" || lines.last == "0  x\\ny")
  }
}
