// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct HistoryReportTests {
  private let twoWinners = History<RegisterOperation, Int>([
    .init(thread: 0, .write(1), answer: 0, begun: 1_000, ended: 1_050),
    .init(thread: 1, .write(2), answer: 0, begun: 1_010, ended: 1_081),
    .init(thread: 1, .read, answer: 2, begun: 1_090, ended: 1_099),
  ])

  @Test func `a failure is shown as a picture, as a list and in words`() {
    let report = HistoryReport("Register", twoWinners, register, budget: 1_000, wording: .unicode)
    #expect(
      report.description == """
        FAILED  Register is not linearizable – 3 calls of 2 threads
        No order of these calls, made one after the other, gives these answers, whatever the other call did:

          T0  ├─write(1) → 0─┤
          T1    ├─write(2) → 0─┤

          T0   0 … 50  write(1) → 0
          T1  10 … 81  write(2) → 0

        No order explains it:
          once write(1) → 0: write(2) must return 1, not 0
          once write(2) → 0: write(1) must return 2, not 0
        """
    )
    #expect(report.counterexample == History(Array(twoWinners.calls[..<2])))
    #expect(!report.passed)
  }

  @Test func `a failure has a page with a lane for each thread and a bar for each call`() throws {
    let report = HistoryReport("Register<Int>", twoWinners, register, budget: 1_000, wording: .ascii)
    let page = try #require(report.page)
    // For Scripts/pages.py.
    _ = page.write(at: CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    let html = page.html
    #expect(html.ranges(of: "class=\"lane\"").count == 2 && html.ranges(of: "<rect class=\"box\"").count == 2)
    for text in ["T0", "T1", "write(1) → 0", "write(2) → 0"] { #expect(html.contains(">\(text)</text>"), "\(text)") }
    #expect(html.contains("<h1>FAILED  Register&lt;Int&gt; is not linearizable") && html.contains("10 … 81"))
    #expect(html.contains("once write(1) -&gt; 0: write(2) must return 1, not 0"), "\(html)")

    let open = History(twoWinners.calls.map { $0.thread == 0 ? $0 : .init(thread: 1, .write(3), begun: $0.begun) })
    #expect(Timeline(open, wording: .unicode, width: .max).svg.contains("class=\"open box\""))
    let legal = History([twoWinners.calls[0], twoWinners.calls[1].pending])
    #expect(HistoryReport("Register", legal, register).page == nil)
  }

  @Test func `a terminal without Unicode is spared it`() {
    let report = HistoryReport("Register", twoWinners, register, budget: 1_000, wording: .ascii)
    #expect(report.description.allSatisfy { $0.isASCII }, "\(report)")
    #expect(report.description.contains("T1    |-write(2) -> 0-|"), "\(report)")
  }

  @Test(.withoutRecording) func `what is legal passes, and what is not certain doesn't`() async {
    let legal = History([twoWinners.calls[0], twoWinners.calls[1].pending])
    let passing = await checkLinearizability("Register", of: legal, against: register)
    #expect(passing.passed && passing.counterexample == nil)
    #expect(passing.description.hasPrefix("PASSED  Register is linearizable"), "\(passing)")

    let uncertain = await checkLinearizability("Register", of: twoWinners, against: register, budget: 1)
    #expect(uncertain.linearizability == .undecided && uncertain.verdict == .inconclusive)
    #expect(uncertain.description.hasPrefix("UNDECIDED  is Register linearizable?"), "\(uncertain)")
  }

  @Test func `a picture that would be too wide has numbers in it, and the list has the calls`() {
    let calls = (0..<12).map { index in
      History<String, String>.Call(
        thread: index % 2,
        "operation \(index)",
        answer: "answer \(index)",
        begun: UInt64(index * 10),
        ended: UInt64(index * 10 + 15)
      )
    }
    let lines = "\(Timeline(History(calls), wording: .unicode))".split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 110 })
    #expect(lines[0].contains("├─1─┤") && lines[1].contains("─12─┤"), "\(lines)")
    #expect(lines.last == "  12  T1  110 … 125  operation 11 → answer 11")
  }

  @Test func `calls that never returned are open at the end, and those queued get lines of their own`() {
    let history = History<String, Int>([
      .init(thread: 0, "complete()", answer: 1, begun: 0, ended: 30, keepsOrder: true),
      .init(thread: 0, "perform", answer: 2, begun: 10, ended: 40, keepsOrder: true),
      .init(thread: 1, "take()", begun: 20),
    ])
    #expect(
      "\(Timeline(history, wording: .unicode))" == """
          T0  ├─complete() → 1─┤
                ├──perform → 2───┤
          T1      ├─take()╌╌╌╌╌╌╌╌

          T0   0 … 30              complete() → 1
          T0  10 … 40              perform → 2
          T1  20 … never returned  take()
        """
    )
  }
}
