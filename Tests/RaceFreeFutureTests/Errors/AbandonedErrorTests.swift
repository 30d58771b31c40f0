// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import TestSupport
import Testing

@Suite struct AbandonedErrorTests {
  private func abandon(label: String? = nil, line: UInt = 7) -> AbandonedError? {
    Future.makeCompleter(label: label, fileID: "Module/File.swift", line: line)
      .future.cancellationReason as? AbandonedError
  }

  @Test func `it says what was abandoned and where that was made`() {
    #expect(abandon(label: "work")?.origin.label == "work")
    #expect(abandon()?.origin.label == nil)
    #expect(abandon()?.origin.place == "Module/File.swift:7")
    #expect(
      abandon(label: "work")?.description
        == "abandoned: \"work\", made at Module/File.swift:7, was dropped while it was pending"
    )
    #expect(
      abandon()?.description
        == "abandoned: the future made at Module/File.swift:7, was dropped while it was pending"
    )
  }

  @Test func `it is the same for the completers of values`() {
    let error =
      ValueFuture<Int>.makeCompleter(label: "work", fileID: "Module/File.swift", line: 7)
      .future.cancellationReason as? AbandonedError
    #expect(error == abandon(label: "work"))
  }

  @Test func `equal are those of the same label and place`() {
    #expect(abandon(label: "work") == abandon(label: "work"))
    #expect(abandon(label: "work") != abandon(label: "other"))
    #expect(abandon(label: "work") != abandon())
    #expect(abandon(line: 7) != abandon(line: 8))
  }
}
