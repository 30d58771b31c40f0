// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The executable `wrap-callback-api`, run as a process of its own.
struct WrapCallbackAPITests {
  @Test(arguments: [1, 7, 4_294_967_296])
  func `with a future nothing is lost, doubled or leaked, and every call ends`(seed: Int) async throws {
    try await withFolder { folder in
      let arguments = ["--rounds", "1000", "--seed", "\(seed)"]
      let end = try await Child("wrap-callback-api", arguments, in: folder).end()
      #expect(end.status == 0)
      #expect(end.errors == "")
      #expect(end.output.hasPrefix("1000 calls each way, seed \(seed)\n"))
      let (naive, withFuture) = counts(in: end.output)
      #expect(withFuture.suffix(3) == [0, 0, 0])
      #expect(withFuture.prefix(3).reduce(0, +) == 1000)
      // Whatever happened to the naive calls, each is in one of the first four lines.
      #expect(naive.count == 6)
      #expect(naive.prefix(4).reduce(0, +) == 1000)
      #expect(tooLong(80, end.output) == [])
    }
  }

  @Test(
    arguments: [
      (["--rounds", "0"], "--rounds is the number of calls: at least 1 and at most 1000000, not 0"),
      (["--rounds", "1000001"], "--rounds is the number of calls: at least 1 and at most 1000000, not 1000001"),
      (["--rounds", "many"], "The value 'many' is invalid for '--rounds <n>'"),
      (["--seed", "-1"], "The value '-1' is invalid for '--seed <n>'"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withFolder { folder in
      let end = try await Child("wrap-callback-api", arguments, in: folder).end()
      #expect(end.status == 64)
      #expect(end.output == "")
      #expect(end.errors == "wrap-callback-api: \(message) (see wrap-callback-api --help)\n")
    }
  }

  @Test func `on a narrow terminal no line is too long`() async throws {
    try await withFolder { folder in
      let end = try await Child("wrap-callback-api", ["--rounds", "100"], in: folder, columns: 40).end()
      #expect(end.status == 0)
      #expect(tooLong(40, end.output) == [])
      #expect(end.output.contains("\nlost       never returned: nobody\n           resumed the continuation\n"))
    }
  }

  /// The numbers in the columns of the table.
  private func counts(in output: String) -> (naive: [Int], withFuture: [Int]) {
    let rows = output.split(separator: "\n").map { $0.split(separator: " ") }.filter { row in
      row.count == 3 && row.dropFirst().allSatisfy { Int($0) != nil }
    }
    return (rows.compactMap { Int($0[1]) }, rows.compactMap { Int($0[2]) })
  }
}
