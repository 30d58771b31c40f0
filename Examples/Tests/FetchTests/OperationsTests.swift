// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The executable `operations`, run as a process of its own.
struct OperationsTests {
  @Test func `every operation ends as its scenario says, and never more than two at once`() async throws {
    try await withFolder { folder in
      let end = try await Child("operations", [], in: folder).end()
      #expect(end.status == 0)
      #expect(end.errors == "")
      let sections = end.output.components(separatedBy: "\n\n")
      #expect(sections.count == 8)
      #expect(ends(sections[0]) == ["done", "done", "done", "done"])
      #expect(ends(sections[1]) == ["done", "cancelled", "done", "done"])
      #expect(ends(sections[2]) == ["done", "done", "done"])
      #expect(sections[3] == "  result: the first of the files for ticket 7")
      #expect(ends(sections[4]) == ["done", "failed", "never started"])
      #expect(sections[5] == "  result: ServerError")
      #expect(ends(sections[6]) == ["done", "done", "done", "done", "cancelled", "cancelled"])
      #expect(sections[7] == "at most 2 at once\n")
    }
  }

  @Test func `one after the other, no line begins before the one above has ended`() async throws {
    try await withFolder { folder in
      let end = try await Child("operations", [], in: folder).end()
      let section = end.output.components(separatedBy: "\n\n")[1]
      let pictures = section.split(separator: "\n").dropFirst().map { $0.split(separator: "|")[1] }
      #expect(pictures.count == 4)
      for (previous, next) in zip(pictures, pictures.dropFirst()) {
        let dots = next.prefix { $0 == "." }.count
        #expect(dots >= previous.prefix { $0 != " " }.count, "\(section)")
      }
    }
  }

  @Test func `on a narrow terminal the pictures are smaller, and no line is too long`() async throws {
    try await withFolder { folder in
      let end = try await Child("operations", [], in: folder, columns: 40).end()
      #expect(end.status == 0)
      #expect(tooLong(40, end.output) == [])
      #expect(end.output.contains(#/  file 4 \|[#.]{15}\| done\n/#))
    }
  }

  @Test(arguments: ["operations", "first-token"])
  func `they tell what they do, and take no argument`(program: String) async throws {
    try await withFolder { folder in
      let help = try await Child(program, ["--help"], in: folder).end()
      #expect(help.status == 0)
      #expect(help.output.hasPrefix("OVERVIEW: "))
      #expect(help.errors == "")
      for arguments in [["--fast"], ["2"]] {
        let end = try await Child(program, arguments, in: folder).end()
        #expect(end.status == 64)
        #expect(end.output == "")
        #expect(end.errors.hasPrefix("\(program): "))
        #expect(end.errors.hasSuffix(" (see \(program) --help)\n"))
        #expect(end.errors.count { $0 == "\n" } == 1)
      }
    }
  }

  /// The last words of the lines that have a picture.
  private func ends(_ section: String) -> [String] {
    section.split(separator: "\n").filter { $0.contains("|") }
      .map { $0.split(separator: "|")[2].trimmingCharacters(in: .whitespaces) }
  }
}
