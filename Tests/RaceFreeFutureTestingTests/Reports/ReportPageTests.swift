// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct ReportPageTests {
  private let folder = NSTemporaryDirectory() + "RaceFreeFuture-\(UUID().uuidString)/pages"

  private let page = ReportPage(
    of: "../../a <name>",
    "FAILED </title><script>",
    "x < y & \"z\"",
    [.init("one's", svg: "<svg></svg>"), .init("two", svg: "<svg></svg>")],
    notes: ["a <note>"],
    again: "again's"
  )

  @Test func `The page is complete in itself, and every text in it is escaped`() {
    let html = page.html
    #expect(html.contains("<title>FAILED &lt;/title&gt;&lt;script&gt;</title>") && !html.contains("<script"))
    #expect(html.contains("x &lt; y &amp; &quot;z&quot;") && html.contains("<li>a &lt;note&gt;</li>"))
    #expect(html.contains("one&#39;s") && html.contains("again&#39;s") && html.ranges(of: "<svg></svg>").count == 2)
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("width=device-width"))
    for word in ["http", "src=", "href", "@import", "url("] { #expect(!html.contains(word), "\(word)") }
    #expect("\u{0}\u{1B}[1m\t".escapedForHTML == "\u{FFFD}\u{FFFD}[1m\t")
  }

  @Test func `Texts are broken into lines between words, and within words that are too long`() {
    #expect("awaits the group".lines(of: 10) == ["awaits the", "group"])
    #expect("abcdefgh ij\nk".lines(of: 3) == ["abc", "def", "gh", "ij\\", "nk"])
    #expect("".lines(of: 3) == [])
  }

  @Test func `Files have safe names, one for each page of each test`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tests = ["../a/b()", "../a-b()", "../a/b()", String(repeating: "long ", count: 200)]
    let paths = try tests.map { try #require(page.write(in: folder, of: $0)) }
    #expect(Set(paths).count == 4)
    for path in paths {
      let name = path.dropFirst(folder.count + 1)
      #expect(path.hasPrefix(folder + "/") && name.hasSuffix(".html") && name.count < 110, "\(path)")
      #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }, "\(path)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == page.html)
    }
    #expect(page.write(in: "/dev/null/x", of: "nowhere") == nil)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(.exitTests) func `the page is in the folder that the environment names, and the report names the file`()
      async throws
    {
      try await #require(processExitsWith: .success) {
        let folder = NSTemporaryDirectory() + "RaceFreeFuture-\(UUID().uuidString)"
        func issue() async -> String {
          let text = Mutex("")
          await withKnownIssue {
            await explore("fails") { $0.actor("one", .init("throws") { throw Reason("no") }) }
          } matching: { issue in
            text.withLock { $0 = issue.comments.map(\.rawValue).joined() }
            return true
          }
          return text.withLock { $0 }
        }
        // The texts are copied.
        unsafe unsetenv("RACEFREEFUTURE_REPORT")
        let without = await issue()
        try #require(without.contains("FAILED") && !without.contains("as a picture: "))
        try #require(!FileManager.default.fileExists(atPath: folder))
        unsafe setenv("RACEFREEFUTURE_REPORT", folder, 1)
        let with = await issue()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        try #require(files.count == 1 && with == "\(without)\n\nas a picture: \(folder)/\(files[0])")
        let html = try String(contentsOfFile: "\(folder)/\(files[0])", encoding: .utf8)
        try #require(html.contains("explore &quot;fails&quot; FAILED") && html.contains(">throws</text>"))
        try FileManager.default.removeItem(atPath: folder)
      }
    }
  #endif
}
