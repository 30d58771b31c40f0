// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import FetchKit
import Foundation
import RaceFreeFuture
import Synchronization
import Testing

@testable import FetchKit

/// What people see.
struct ReportingTests {
  private let reports = [
    Report(name: "river.bin", ending: .completed, bytes: 1_234_567, time: .milliseconds(1849)),
    Report(
      name: "a",
      ending: .cancelled(StopRequest(after: .milliseconds(2800)), isAskedFor: true),
      bytes: 0,
      time: nil
    ),
    Report(name: "b", ending: .failed(.status(404)), bytes: 10, time: .zero),
  ]

  @Test func `the table has a line for each download and a sum`() {
    #expect(
      Table(reports).description == """
        file           bytes   time  outcome
        ----------------------------------------------------------------------
        river.bin  1,234,567  1.8 s  completed
        a                  0      -  cancelled: by hand, 2.8 s after the start
        b                 10  0.0 s  failed: HTTP 404
        1 completed, 1 cancelled, 1 failed

        """
    )
  }

  @Test func `in a narrow table the outcomes stand below, and names are cut`() {
    #expect(
      Table(reports).fitted(to: 23) == """
        file       bytes   time
        -----------------------
        rive…  1,234,567  1.8 s
          completed
        a              0      -
          cancelled: by hand,
          2.8 s after the start
        b             10  0.0 s
          failed: HTTP 404
        1 completed, 1
        cancelled, 1 failed

        """
    )
    for columns in 22..<100 {
      for line in Table(reports).fitted(to: columns).split(separator: "\n") { #expect(line.count <= columns) }
    }
  }

  @Test func `a plain line says what happened`() {
    #expect(
      reports.map(\.line) == [
        "river.bin: completed, 1,234,567 bytes in 1.8 s",
        "a: cancelled: by hand, 2.8 s after the start, before it started",
        "b: failed: HTTP 404, 10 bytes in 0.0 s",
      ]
    )
  }

  @Test(arguments: [20, 40, 80, 200]) func `a bar is never as wide as the terminal`(columns: Int) {
    for (received, expected) in [(0, 100), (50, 100), (100, 100), (150, 100), (1_234_567_890, nil), (0, 0)]
      as [(Int, Int?)]
    {
      let line = Bar(name: "name-of-a-file.bin", received: received, expected: expected).line(
        nameColumns: columns / 3,
        columns: columns
      )
      #expect(line.count < columns)
    }
    #expect(
      Bar(name: "river.bin", received: 50, expected: 100).line(nameColumns: 9, columns: 60)
        == "river.bin [###########............]  50%          50 bytes"
    )
  }

  @Test func `bars are redrawn in place, and the cursor is back at the end`() {
    let screen = Screen()
    let bars = ProgressBars(screen.output, frameTime: .zero) { (60, 24) }
    let download = Download(
      DownloadRequest(URL(filePath: "/a")),
      name: "a",
      in: URL(filePath: "/"),
      within: Future(label: "run")
    )
    download.receive(0, of: 10)
    bars.started(download)
    download.receive(5, of: 10)
    bars.progressed(download)
    bars.ended(download, reports[2])
    #expect(
      screen.frames == [
        "\u{1B}[?25la [...............................]   0%           0 bytes\n",
        "\u{1B}[?25l\u{1B}[1A\r\u{1B}[Ja [###############................]  50%           5 bytes\n",
        "\u{1B}[?25l\u{1B}[1A\r\u{1B}[Jb: failed: HTTP 404, 10 bytes in 0.0 s\n\u{1B}[?25h",
      ]
    )
  }

  @Test(arguments: [(1000, "1 s"), (2800, "2.8 s"), (50, "0.05 s"), (61_005, "61.005 s"), (10_000, "10 s")])
  func `times are short`(milliseconds: Int, words: String) {
    #expect(Duration.milliseconds(milliseconds).words == words)
  }
}

/// Keeps what is written.
private final class Screen: Sendable {
  /// Guards the texts.
  private let texts = Mutex<[String]>([])

  var frames: [String] { texts.withLock { $0 } }
  var output: Output { Output { text in self.texts.withLock { $0.append(text) } } }
}
