// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import Console

/// How text is fitted to a terminal.
struct ConsoleTests {
  @Test func `text is broken at spaces, and a longer word has its own line`() {
    #expect("one two three".wrapped(to: 7) == "one two\nthree")
    #expect("one two three".wrapped(to: 13) == "one two three")
    #expect("one two three".wrapped(to: 12, indentation: "  ") == "one two\n  three")
    #expect("an extraordinary word".wrapped(to: 6) == "an\nextraordinary\nword")
    #expect("  indented text".wrapped(to: 10, indentation: "    ") == "  indented\n    text")
    #expect("".wrapped(to: 10) == "")
  }

  @Test(
    arguments: [
      (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
      (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "dumb"], false), ([:], false),
    ]
  )
  func `colours are for terminals that know them, and users who want them`(
    environment: [String: String],
    takesColours: Bool
  ) {
    #expect(Console.takesColours(environment) == takesColours)
  }
}
