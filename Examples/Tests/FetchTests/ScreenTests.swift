// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FetchKit
import Foundation
import RaceFreeFuture
import Testing

/// The screen of each example: on wide and narrow terminals, with and without colours, in a pipe, and after Ctrl-C.
struct ScreenTests {
  @Test(arguments: Example.all, Look.all)
  func `it fits, has colours if they are wanted, and leaves the terminal as it was`(
    example: Example,
    look: Look
  ) async throws {
    try await withTemporaryFolder { environment in
      let child = try TerminalChild(
        example.program,
        example.arguments,
        columns: look.columns,
        look.environment.merging(environment) { $1 }
      )
      if let signalled = example.signalled {
        try await child.wait(until: "it has begun") { $0.contains(signalled) }
        child.interrupt()
      }
      let end = try await child.end()
      #expect(end.status == 0)
      let screen = TerminalScreen(end.output, columns: look.columns)
      #expect(screen.faults == [] || example.isTable, "\(screen.text)")
      #expect(screen.isTidy, "\(end.output)")
      for words in example.shown { #expect(screen.words.contains(words), "\(screen.text)") }
      #expect(screen.hasColours == (example.hasColours && look.hasColours))
      #expect(screen.sequences.isEmpty || look.hasSequences, "\(screen.sequences)")
    }
  }

  @Test(arguments: Example.all.filter { $0.signalled == nil }, [80, 40])
  func `in a pipe there is text alone, and it fits`(example: Example, columns: Int) async throws {
    try await withFolder { folder in
      let child = try Child(example.program, example.arguments, in: folder, columns: columns)
      let end = try await child.end()
      #expect(end.status == 0)
      #expect(!(end.output + end.errors).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
      #expect(example.isTable || tooLong(columns, end.output) == [], "\(end.output)")
      let words = end.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in example.shown { #expect(words.contains(part), "\(end.output)") }
    }
  }

  @Test(arguments: Interrupted.all, [80, 40])
  func `Ctrl-C ends it, and the cursor is at the beginning of a line`(
    interrupted: Interrupted,
    columns: Int
  ) async throws {
    try await withTemporaryFolder { environment in
      let child = try TerminalChild(
        interrupted.program,
        interrupted.arguments,
        columns: columns,
        environment,
        isHeld: interrupted.when == nil
      )
      if let when = interrupted.when {
        try await child.wait(until: "\(when) is there") { $0.contains(when) }
      }
      if let key = interrupted.key { try child.type(key) } else { child.interrupt() }
      let end = try await child.end()
      #expect(end.status == 130)
      let screen = TerminalScreen(end.output, columns: columns)
      #expect(screen.isTidy && screen.words.hasSuffix(interrupted.end), "\(end.output)")
      #expect(screen.faults == [], "\(screen.text)")
    }
  }

  @Test(arguments: [([:], 80), ([:], 40), (["TERM": "dumb"], 80), (["TERM": "dumb"], 40)])
  func `Ctrl-C ends the downloads, and the table says so`(environment: [String: String], columns: Int) async throws {
    let pages = [
      "/whole": Page(Data(count: 10)),
      "/stalled": Page(length: 100_000, steps: [.send(Data(count: 40_000)), .wait(.never)]),
    ]
    try await withServer(pages) { setting in
      let urls = ["whole", "stalled", "stalled"].map { setting.url($0).absoluteString }
      let arguments = urls + ["--output", setting.folder.appendingPathComponent("files").path]
      let child = try TerminalChild("fetch", arguments, columns: columns, environment)
      // The last one starts when the first one has ended: with a bar, or with a line that says so.
      try await child.wait(until: "the last one has started") { output in
        output.contains(environment.isEmpty ? "stalled-1 " : "stalled-1: started")
      }
      child.interrupt()
      let end = try await child.end()
      #expect(end.status == 130)
      let screen = TerminalScreen(end.output, columns: columns)
      #expect(screen.faults == [] && screen.isTidy, "\(screen.text)")
      #expect(screen.words.contains("whole: completed, 10 bytes in "))
      for name in ["stalled", "stalled-1"] { #expect(screen.words.contains(" \(name): cancelled: Ctrl-C, ")) }
      #expect(screen.words.hasSuffix(" 1 completed, 2 cancelled, 0 failed"), "\(screen.text)")
      #expect(screen.sequences.isEmpty == !environment.isEmpty)
    }
  }

  @Test func `the screen of these tests sees what is wrong`() {
    let screen = { (output: String) in TerminalScreen(output, columns: 10) }
    #expect(screen("0123456789\r\n").faults == [] && screen("0123456789\r\n").isTidy)
    #expect(screen("01234 6789a").faults == ["too long: 01234 6789a…"] && screen("  3456789a\r\n").faults == [])
    #expect(screen("\u{1B}[2K").faults == ["unknown: [2K"] && screen("\u{1B}[1A").faults == ["above the top: [1A"])
    for mess in ["half", "\u{1B}[?25l", "\u{1B}[31m", "\u{1B}[?1049h"] { #expect(!screen(mess).isTidy) }
    #expect(screen("\u{1B}[?1049hx\u{1B}[?1049l\u{1B}[31m\u{1B}[0m").isTidy)
    #expect(screen("one\r\ntwo\r\n\u{1B}[1A\r\u{1B}[Jthree").text == "one\nthree")
    #expect(screen("\u{1B}[1mbold\u{1B}[0m").hasColours && !screen("\u{1B}[H").hasColours)
  }
}

/// A run of an example that ends by itself, or that a signal ends as it should.
struct Example: Sendable, CustomTestStringConvertible {
  let program: String
  var arguments: [String] = []
  /// Some of the words that it prints.
  let shown: [String]
  /// What it prints before it gets a signal to end; nil: it ends by itself.
  var signalled: String?
  var hasColours = false
  /// True if its output is a Markdown table, which isn't broken.
  var isTable = false

  var testDescription: String { ([program] + arguments).joined(separator: " ") }

  static let all =
    [
      Example(program: "first-token", shown: ["5 4 3 stopped the countdown was cancelled"]),
      Example(
        program: "wrap-callback-api",
        arguments: ["--rounds", "100"],
        shown: ["100 calls each way, seed 1", "lost never returned: nobody resumed the continuation"]
      ),
      Example(
        program: "composite",
        arguments: ["--size", "40x20"],
        shown: ["sky, sun, mountains and sea, 40x20:", "the three pictures are identical"]
      ),
      Example(
        program: "composite",
        arguments: ["--lazy"],
        shown: ["mountains.txt has 21 bytes and begins with: Two ridges of noise.", "sea.txt: was not read"]
      ),
      Example(
        program: "operations",
        shown: ["one after the other, whatever the outcome (file 2 has a time limit):", "result: ServerError"]
      ),
      Example(
        program: "search-as-you-type",
        arguments: ["--keys", "swi<wait>"],
        shown: ["in the end 'swi' is typed", "LatestFuture the answer to 'swi', 0 stale results shown"]
      ),
      Example(
        program: "race-gallery",
        arguments: ["--only", "R12", "--rounds", "3"],
        shown: ["naive 3 of 3 rounds failed with a future 0 of 3 rounds failed", "in 3 rounds."],
        hasColours: true
      ),
      Example(
        program: "race-gallery",
        arguments: ["--list"],
        shown: ["R6 Result and timeout both finish"],
        hasColours: true
      ),
      Example(
        program: "bug-hunt",
        arguments: ["A7.exploreTasks.naive"],
        shown: ["found in order 3, after "]
      ),
      Example(
        program: "fetch",
        shown: ["five files, 2 at a time,", "3 completed, 2 cancelled, 0 failed"]
      ),
      Example(
        program: "service",
        shown: ["serving http://127.0.0.1:", "stopping: 0 in progress everything has ended"],
        signalled: "serving "
      ),
    ]
    + ["first-token", "wrap-callback-api", "composite", "operations", "search-as-you-type", "race-gallery", "bug-hunt"]
    .map { Example(program: $0, arguments: ["--help"], shown: ["OVERVIEW: ", "USAGE: \($0)"]) }
    + ["fetch", "service"].map { Example(program: $0, arguments: ["--help"], shown: ["EXIT STATUS 0 everything"]) }
}

/// A terminal.
struct Look: Sendable, CustomTestStringConvertible {
  let columns: Int
  let environment: [String: String]
  let hasColours: Bool
  let hasSequences: Bool

  var testDescription: String { "\(columns) columns, \(environment)" }

  static let all = [
    Look(columns: 80, environment: [:], hasColours: true, hasSequences: true),
    Look(columns: 40, environment: [:], hasColours: true, hasSequences: true),
    Look(columns: 80, environment: ["NO_COLOR": "1"], hasColours: false, hasSequences: true),
    Look(columns: 40, environment: ["TERM": "dumb"], hasColours: false, hasSequences: false),
  ]
}

/// A run of an example that is ended by Ctrl-C.
struct Interrupted: Sendable, CustomTestStringConvertible {
  let program: String
  var arguments: [String] = []
  /// What it has printed by then; nil: it is at its first line, which the terminal doesn't take.
  let when: String?
  /// The key, where the program reads keys itself; nil: the terminal sends the signal.
  var key: String?
  /// The last words on the screen.
  var end = ""

  var testDescription: String { ([program] + arguments).joined(separator: " ") + (key == nil ? "" : ", by a key") }

  static let all = [
    Interrupted(program: "first-token", when: nil),
    Interrupted(program: "operations", when: nil),
    Interrupted(
      program: "wrap-callback-api",
      arguments: ["--rounds", "1000000"],
      when: "seed 1",
      end: "1000000 calls each way, seed 1"
    ),
    Interrupted(
      program: "composite",
      arguments: ["--size", "2048x2048"],
      when: "2048x2048:",
      end: "sky, sun, mountains and sea, 2048x2048:"
    ),
    Interrupted(program: "search-as-you-type", when: "search: "),
    Interrupted(program: "search-as-you-type", when: "search: ", key: "\u{3}"),
    Interrupted(
      program: "race-gallery",
      arguments: ["--only", "R12", "--rounds", "1000000"],
      when: "naive",
      end: "R12 Handlers on a long-lived token naive interrupted"
    ),
    Interrupted(program: "bug-hunt", when: " s\r\n", end: " s"),
  ]
}

/// Runs a body with the environment for a temporary folder with a short name, which is gone afterwards.
private func withTemporaryFolder(_ body: ([String: String]) async throws -> Void) async throws {
  let folder = URL(fileURLWithPath: "/tmp").appendingPathComponent(String(UUID().uuidString.prefix(8)))
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(["TMPDIR": folder.path])
}
