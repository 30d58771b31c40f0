// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import FetchKit

/// Names of files.
struct FileNamesTests {
  @Test(
    arguments: [
      ("http://h/a/photo.jpg", "photo.jpg"), ("http://h/a/photo.jpg?size=1#top", "photo.jpg"), ("http://h", "download"),
      ("http://h/", "download"), ("http://h/dir/", "dir"), ("http://h/..", "_."),
      ("http://h/%2e%2e%2fetc%2fpasswd", "_._etc_passwd"),
      ("http://h/.profile", "_profile"), ("http://h/a%00b%1B%5B2J", "a_b_[2J"),
      ("http://h/caf%C3%A9%20au%20lait", "café au lait"),
      ("http://h/a%5Cb:c", "a_b_c"), ("http://h/%E2%80%AEgpj.exe", "_gpj.exe"),
    ]
  )
  func `a name stays in its folder and can be shown`(text: String, name: String) throws {
    var names = FileNames(in: URL(fileURLWithPath: "/nowhere"))
    #expect(names.next(for: try #require(URL(string: text))) == name)
  }

  @Test func `a name that is taken gets a number`() throws {
    var names = FileNames(in: URL(fileURLWithPath: "/nowhere"))
    let urls = try ["http://h/a.tar", "http://h/A.tar", "http://i/a.tar", "http://h/b", "http://h/b"].map {
      try #require(URL(string: $0))
    }
    #expect(urls.map { names.next(for: $0) } == ["a.tar", "A-1.tar", "a-2.tar", "b", "b-1"])
  }

  @Test func `a long name keeps its end`() {
    let name = FileNames.safe(String(repeating: "é", count: 300) + ".jpg")
    #expect(name.utf8.count <= 200)
    #expect(name.hasSuffix("é.jpg"))
  }
}
