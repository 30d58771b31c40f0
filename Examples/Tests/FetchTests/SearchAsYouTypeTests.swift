// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Testing

/// The executable `search-as-you-type`, run as a process of its own.
struct SearchAsYouTypeTests {
  @Test(arguments: [1, 7, 18_446_744_073_709_551_615 as UInt64])
  func `nothing stale is ever shown, and at last the answer to the whole text is`(seed: UInt64) async throws {
    let report = try await Report("swi<bs>ift", seed: seed)
    #expect(report.texts == ["s", "sw", "swi", "sw", "swi", "swif", "swift"])
    #expect(report.ours == "the answer to 'swift', 0 stale results shown")
    #expect(report.rows.last?.contains("swift swiftly") == true)
  }

  @Test func `what is typed between two others is shown if there is time`() async throws {
    let report = try await Report("swi<wait><wait><wait>ft", seed: 1)
    #expect(report.rows[2].contains(" swift swiftly swim ..."))
    #expect(report.rows[4].contains(" swift swiftly  "))
  }

  @Test func `for the same keys the naive way shows stale results, also at last`() async throws {
    // The answer to swif takes 195 ms, and that to swift 21. A machine that is too busy may even this out at times.
    var atLast: [String] = []
    for _ in 1...5 where !atLast.contains("the answer to 'swif'") {
      let report = try await Report("swift", seed: 45)
      #expect(report.ours == "the answer to 'swift', 0 stale results shown")
      let naive = report.naive.components(separatedBy: ", ")
      #expect(naive.last != "0 stale results shown")
      atLast += naive.prefix(1)
    }
    #expect(atLast.last == "the answer to 'swif'")
  }

  @Test func `when everything has been deleted nothing is shown`() async throws {
    let report = try await Report("sw<bs><bs><bs>", seed: 7)
    #expect(report.texts == ["s", "sw", "s"])
    #expect(report.ours == "nothing, 0 stale results shown")
  }

  @Test func `a list of words can be given`() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("words")
      try Data("Zanzibar\nzoo\n\nzoo\n".utf8).write(to: file)
      let report = try await Report("z", seed: 1, ["--words", file.path])
      #expect(report.rows.last?.contains(" zanzibar zoo  ") == true)
      let none = try await Report("q", seed: 1, ["--words", file.path])
      #expect(none.rows.last?.contains(" no such word  ") == true)
    }
  }

  @Test func `without arguments and without a terminal it types by itself`() async throws {
    try await withFolder { folder in
      let end = try await Child("search-as-you-type", [], in: folder).end()
      #expect(end.status == 0)
      #expect(end.errors == "")
      #expect(end.output.contains("\n  LatestFuture  the answer to 'sweet', 0 stale results shown, "))
    }
  }

  @Test func `on a narrow terminal what was shown stands below, and no line is too long`() async throws {
    try await withFolder { folder in
      let end = try await Child("search-as-you-type", ["--keys", "swi<wait>"], in: folder, columns: 50).end()
      #expect(end.status == 0)
      #expect(end.output.contains("\ns     s           84 ms\n  cancelled\n  stale: sw"))
      #expect(tooLong(50, end.output) == [])
    }
  }

  @Test func `the hint is there as long as nothing is typed`() async throws {
    let child = try TerminalChild("search-as-you-type", [])
    let hint = "type the beginning of a word"
    try await child.wait(until: "the hint is there") { $0.contains(hint) }
    try child.type("sw")
    let typed = try await child.wait(until: "words are there") { $0.contains("swallow") }
    #expect(frames(typed).allSatisfy { $0.hasSuffix("search: ") == $0.contains(hint) }, "\(typed)")
    try child.type("\u{7f}\u{7f}")
    try await child.wait(until: "the hint is there again") { frames($0).dropFirst(2).contains { $0.contains(hint) } }
    try child.type("\u{1b}")
    let end = try await child.end()
    #expect(end.status == 0)
    #expect(end.output.hasSuffix("\u{1b}[?1049l"))
  }

  @Test(arguments: ["\r", "\u{1b}", "\u{4}"]) func `Enter, Esc and Ctrl-D end it`(key: String) async throws {
    let child = try TerminalChild("search-as-you-type", [])
    try await child.wait(until: "the keys are told") { $0.contains("(Enter, Esc or Ctrl-C ends)") }
    try child.type(key)
    #expect(try await child.end().status == 0)
  }

  #if os(Linux)
    @Test func `Ctrl-Z suspends it, with the screen as it was, and the shell lets it go on`() async throws {
      let child = try TerminalChild("search-as-you-type", [])
      let (hint, screen, usual) = ("type the beginning of a word", "\u{1b}[?1049h", "\u{1b}[?1049l")
      try await child.wait(until: "the hint is there") { $0.contains(hint) }
      try child.type("\u{1a}")
      try await child.wait(until: "the screen is given back") { $0.hasSuffix(usual) }
      try await eventually("it is stopped", within: .seconds(600)) {
        let status = try String(contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8)
        return status.contains(") T ")
      }
      kill(child.identifier, SIGCONT)
      try await child.wait(until: "the hint is there again") { output in
        output.components(separatedBy: screen).count == 3 && output.components(separatedBy: hint).count == 3
      }
      try child.type("\r")
      #expect(try await child.end().status == 0)
    }
  #endif

  @Test(
    arguments: [
      (["--keys", ""], "--keys is 1 to 400 of: letters, <bs>, <wait>; not ''"),
      (["--keys", "a<b"], "--keys is 1 to 400 of: letters, <bs>, <wait>; not 'a<b'"),
      (["--keys", "a1"], "--keys is 1 to 400 of: letters, <bs>, <wait>; not 'a1'"),
      (["--seed", "-1"], "The value '-1' is invalid for '--seed <n>'"),
      (["--words", "/dev/null/x"], "/dev/null/x: cannot be read as text"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withFolder { folder in
      let end = try await Child("search-as-you-type", arguments, in: folder).end()
      #expect(end.status == 64)
      #expect(end.output == "")
      #expect(end.errors == "search-as-you-type: \(message) (see search-as-you-type --help)\n")
    }
  }
}

/// What was on the terminal, screen by screen.
private func frames(_ output: String) -> [Substring] {
  output.split(separator: "\u{1b}[H\u{1b}[J").dropFirst().map { $0.prefix { $0 != "\u{1b}" } + frame(afterHome: $0) }
}

/// What is written behind the jump to the top, where the text is that was typed.
private func frame(afterHome frame: Substring) -> Substring {
  frame.split(separator: "\u{1b}[H", omittingEmptySubsequences: false).dropFirst().first ?? ""
}

/// What the program prints.
private struct Report {
  /// The lines of the table.
  let rows: [String]
  /// What was shown with `LatestFuture`, without the number of requests.
  let ours: String
  /// What was shown without.
  let naive: String

  /// Runs the program, which has to succeed.
  init(_ keys: String, seed: UInt64, _ more: [String] = []) async throws {
    var output = ""
    try await withFolder { folder in
      let end = try await Child("search-as-you-type", ["--keys", keys, "--seed", "\(seed)"] + more, in: folder).end()
      #expect(end.status == 0)
      #expect(end.errors == "")
      output = end.output
    }
    let parts = output.components(separatedBy: "\n\n")
    try #require(parts.count == 3, "\(output)")
    rows = parts[1].split(separator: "\n").dropFirst().map(String.init)
    let summaries = parts[2].split(separator: "\n").dropFirst().map { String($0.dropFirst(16)) }
    try #require(summaries.count == 2, "\(output)")
    ours = summaries[0].components(separatedBy: ", ").dropLast().joined(separator: ", ")
    naive = summaries[1]
  }

  /// The texts of the queries, in the order in which they were typed.
  var texts: [String] {
    rows.filter { $0.contains(" ms ") }.map { String($0.dropFirst(6).prefix { $0 != " " }) }
  }
}
