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

  @Test func `in help the text of an option is continued below it, further left on a narrow screen`() {
    let help = "USAGE: x [--one] [--two]\n\nOPTIONS:\n  -o, --one     A first option."
    #expect(help.fittingHelp(to: 80) == help)
    #expect(
      help.fittingHelp(to: 24)
        == "USAGE: x [--one] [--two]\n\nOPTIONS:\n  -o, --one     A first\n        option."
    )
    #expect("  0    all has ended".fittingHelp(to: 14) == "  0    all has\n    ended")
    #expect("  0    all has ended".fittingHelp(to: 20) == "  0    all has ended")
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
