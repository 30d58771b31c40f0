// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct TextTests {
  @Test(
    arguments: [
      ([:], true), (["LANG": "C"], false), (["LANG": "de_DE.UTF-8"], true),
      (["LC_CTYPE": "C.utf8", "LANG": "C"], true),
      (["LC_ALL": "POSIX", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LANG": "en_US.UTF-8"], true),
    ]
  )
  func `the first locale that is set decides between Unicode and ASCII`(_ variables: [String: String], isUnicode: Bool)
  {
    #expect(TextStyle.style { variables[$0] }.cross == (isUnicode ? "✗" : "x"))
  }

  @Test func `numbers are grouped`() {
    #expect([0, 7, 999, 1_000, 123_456, 1_234_567].map(grouped) == ["0", "7", "999", "1,000", "123,456", "1,234,567"])
    #expect(grouped(-1_234) == "-1,234")
    #expect(times(1, "round") == "1 round")
    #expect(times(0, "round") == "0 rounds")
    #expect(times(1_000, "round") == "1,000 rounds")
  }

  @Test func `numbers have the digits that were asked for`() {
    #expect(fixed(1.005, 1) == "1.0")
    #expect(fixed(0.999, 2) == "1.00")
    #expect(fixed(1_234.05, 2) == "1,234.05")
    #expect(fixed(2.5, 0) == "3")
    #expect(seconds(.milliseconds(12_345)) == "12.35 s")
  }

  @Test func `percentages are nothing or all only if they are`() {
    #expect(
      [0, 0.001, 0.5, 0.999, 1].map { percent($0) } == ["0 %", "less than 1 %", "50 %", "more than 99 %", "100 %"]
    )
    #expect(percent(0.012_34, digits: 2) == "1.23 %")
  }

  @Test func `text is kept on one line and cut off`() {
    #expect("a\nb\r\nc\td\re".onOneLine == "a\\nb\\nc\\td\\re")
    #expect("abcdef".clipped(to: 6, .unicode) == "abcdef")
    #expect("abcdefg".clipped(to: 6, .unicode) == "abcde…")
    #expect("abcdefg".clipped(to: 6, .ascii) == "abc...")
    #expect(" a  ".trimmedAtEnd == " a")
    #expect("  ".trimmedAtEnd == "")
  }

  @Test func `columns are aligned`() {
    var table = TextTable(columns: [.left(""), .left("name", 5), .right("count")])
    table.add(["!", "long name", "1"])
    table.add(["", "b", "1,000,000"])
    #expect(
      table.lines(in: .ascii) == [
        "   name       count", "   -----  ---------", "!  lo...          1", "   b      1,000,000",
      ]
    )
  }
}
