// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Testing

/// Each example, run as a process of its own.
struct ExampleTests {
  @Test func `first-token stops midway, once`() async throws {
    let end = try await Child("first-token").end()
    #expect(end.output == "5\n4\n3\nstopped\nthe countdown was cancelled\n" && end.status == 0)
  }

  @Test func `composite draws the same picture three times`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ppm")
    defer { try? FileManager.default.removeItem(at: file) }
    let end = try await Child("composite", ["--height", "9", "--output", file.path]).end()
    #expect(end.output.hasSuffix("the three pictures are identical\n") && end.status == 0)
    #expect(try Data(contentsOf: file).count == "P6 16 9 255\n".count + 16 * 9 * 3)
  }

  @Test func `wrap-callback-api loses nothing with a future`() async throws {
    let end = try await Child("wrap-callback-api", ["--rounds", "1000"]).end()
    let counts = try #require(end.output.firstMatch(of: #/with future: (\d+) returned, (\d+) ended, (.*)/#))
    #expect(counts.3 == "0 lost, 0 doubled, 0 leaked" && end.status == 0)
    #expect((Int(counts.1) ?? 0) + (Int(counts.2) ?? 0) == 1000)
  }

  @Test func `operations run in the order that the queue gives them`() async throws {
    let end = try await Child("operations").end()
    let parts = end.output.split(separator: "\n\n").map { $0.split(separator: "\n").dropFirst().map(String.init) }
    try #require(parts.count == 5 && end.status == 0, "\(end.output)")
    #expect(parts[0][1] == "  at most 4 at once")
    #expect(
      parts[1] == [
        "  + file 1, file 1 done, + file 2, file 2 cancelled, + file 3, file 3 done, + file 4, file 4 done",
        "  at most 1 at once",
      ]
    )
    #expect(parts[2].last == "  result: the first of the files for ticket 7")
    #expect(parts[3] == ["  + login, login done, + list, list failed", "  at most 1 at once", "  result: an error"])
    #expect(!parts[4][0].contains("+ file 5") && parts[4][0].contains("file 6 cancelled"))
    #expect(parts[4][1] == "  at most 2 at once")
  }

  @Test func `programs keep their promises, whatever is cancelled`() async throws {
    let end = try await Child("programs", ["--stress", "20"]).end()
    #expect(end.output.hasSuffix("\n0 results are left\n") && end.status == 0, "\(end.output)")
  }

  @Test func `race-gallery has the bug in each naive program, and in none with a future`() async throws {
    let end = try await Child("race-gallery").end()
    let lines = end.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9 && end.status == 0, "\(end.output)")
    #expect(lines[1...2] == ["  naive          sent", "  with a future  not sent"])
    #expect(lines[4] == "  naive          returned after the answer")
    #expect(lines[5] == "  with a future  returned before the answer")
    #expect(lines[7...8] == ["  naive          0 of 1 permits are left", "  with a future  1 of 1 permits are left"])
  }

  @Test(arguments: 1...5)
  func `search-as-you-type shows the last answer, and no stale one`(seed: Int) async throws {
    let end = try await Child("search-as-you-type", ["--word", "swift", "--seed", "\(seed)"]).end()
    #expect(end.output.hasPrefix("LatestFuture  shows the answer to swift in the end; 0 stale answers were shown, "))
    #expect(end.status == 0)
  }

  @Test func `arguments that make no sense get exit status 64`() async throws {
    for (name, arguments) in [
      ("fetch", ["--jobs", "0"]), ("fetch", ["nowhere"]), ("fetch", ["--output", "."]),
      ("composite", ["--height", "0"]), ("service", ["--grace", "-1"]), ("programs", ["--stress", "0"]),
      ("wrap-callback-api", ["--rounds", "0"]),
    ] {
      let end = try await Child(name, arguments).end()
      #expect(end.status == 64 && end.output == "" && end.errors != "", "\(name)")
    }
  }
}
