// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FetchKit
import Foundation
import RaceFreeFuture
import Testing

/// The executables, run as processes of their own.
struct CommandTests {
  @Test func `the demonstration shows every ending and succeeds`() async throws {
    try await withServer([:]) { setting in
      let folder = setting.folder.appendingPathComponent("demonstration")
      let (status, output, errors) = try await Child("fetch", ["--output", folder.path], in: setting.folder).end()
      #expect(status == 0)
      #expect(output.contains("3 completed, 2 cancelled, 0 failed"))
      #expect(output.contains("cancelled: timed out after 1 s"))
      #expect(output.contains("cancelled: by hand, 2.8 s after the start"))
      #expect(errors.contains("meadow.bin: started\n"))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(files) == ["meadow.bin", "river.bin", "harbour.bin"])
    }
  }

  @Test func `the demonstration leaves nothing in the temporary folder`() async throws {
    try await withFolder { folder in
      let temporary = folder.appendingPathComponent("temporary")
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
      let arguments = ["--cancel-after", "0.5"]
      let end = try await Child("fetch", arguments, in: folder, ["TMPDIR": temporary.path]).end()
      #expect(end.status == 0 && end.output.contains("to    \(temporary.path)/fetch-"), "\(end)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }
  }

  #if os(Linux)
    @Test(arguments: ["fetch", "composite"])
    func `output that is lost is a failure, and what a program writes at once goes to standard error`(
      name: String
    ) async throws {
      try await withServer(["/small": Page(Data(count: 10))]) { setting in
        let arguments = [
          "fetch": [setting.url("small").absoluteString, "--output", setting.folder.path],
          "composite": ["--lazy"],
        ]
        let child = try Child(name, arguments[name, default: []], in: setting.folder, output: "/dev/full")
        let end = try await child.end()
        #expect(end.status == 1, "\(end)")
        #expect(end.errors.hasSuffix("\(name): cannot write to standard output\n"), "\(end)")
        if name == "fetch" { #expect(end.errors.contains("\n1 completed, 0 cancelled, 0 failed\n"), "\(end)") }
      }
    }
  #endif

  @Test(arguments: [(SIGINT, "Ctrl-C", 130), (SIGTERM, "signal 15", 143)])
  func `a signal stops everything, leaves no partial file and prints the table`(
    signal: Int32,
    words: String,
    status: Int32
  ) async throws {
    let pages = [
      "/small": Page(Data(count: 10)), "/a": Page(length: 100_000, steps: [.send(Data(count: 40_000)), .wait(.never)]),
    ]
    try await withServer(pages) { setting in
      let folder = setting.folder.appendingPathComponent("files")
      let urls = ["small", "a", "a", "a"].map { setting.url($0).absoluteString }
      let child = try Child("fetch", urls + ["--output", folder.path], in: setting.folder)
      try await setting.server.arrival(of: 3).value
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(before.filter { $0.hasPrefix(".a.") || $0.hasPrefix(".a-1.") }.count == 2)
      kill(child.process.processIdentifier, signal)
      let end = try await child.end()
      #expect(end.status == status)
      #expect(end.output.contains("1 completed, 3 cancelled, 0 failed"))
      #expect(end.output.contains("cancelled: \(words)"))
      #expect(end.errors.contains("a-2: cancelled: \(words), before it started"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["small"])
    }
  }

  @Test func `what is stopped as asked is a success, what runs out of time is not`() async throws {
    try await withServer(["/a": Page(length: 100_000, steps: [.send(Data(count: 40_000)), .wait(.never)])]) { setting in
      let arguments = [
        setting.url("a").absoluteString, "--output", setting.folder.appendingPathComponent("files").path,
      ]
      let stopped = try await Child("fetch", arguments + ["--cancel-after", "0.1"], in: setting.folder).end()
      #expect(stopped.status == 0)
      #expect(stopped.output.contains("cancelled: by hand, 0.1 s after the start"))
      let late = try await Child("fetch", arguments + ["--timeout", "0.1"], in: setting.folder).end()
      #expect(late.status == 1)
      #expect(late.output.contains("cancelled: timed out after 0.1 s"))
    }
  }

  @Test(
    arguments: [
      (["ftp://h/x"], "'ftp://h/x' is not an http or https URL"),
      (["nonsense"], "'nonsense' is not an http or https URL"),
      (["http:///x"], "'http:///x' is not an http or https URL"),
      (["--timeout", "-1"], "--timeout is a number of seconds: at least 0.001 and at most a year, not -1.0"),
      (["--timeout", "nan"], "--timeout is a number of seconds: at least 0.001 and at most a year, not nan"),
      (["--timeout", "soon"], "The value 'soon' is invalid for '--timeout <s>'"),
      (["--cancel-after", "0"], "--cancel-after is a number of seconds: at least 0.001 and at most a year, not 0.0"),
      (["--jobs", "0"], "--jobs is the number of downloads at a time: at least 1, not 0"),
      (["--output", "/dev/null/x"], "/dev/null/x: cannot write: Not a directory"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withServer([:]) { setting in
      let end = try await Child("fetch", arguments, in: setting.folder).end()
      #expect(end.status == 64)
      #expect(end.output == "")
      #expect(end.errors == "fetch: \(message) (see fetch --help)\n")
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a folder that may not be written to gets one line and status 64`() async throws {
    try await withServer([:]) { setting in
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: setting.folder.path)
      let elsewhere = FileManager.default.temporaryDirectory
      let end = try await Child("fetch", ["--output", setting.folder.path], in: elsewhere).end()
      #expect(end.status == 64)
      #expect(
        end.errors == "fetch: \(setting.folder.path): cannot write: Permission denied (see fetch --help)\n"
      )
    }
  }

  @Test func `the first token stops the countdown midway`() async throws {
    try await withServer([:]) { setting in
      let end = try await Child("first-token", [], in: setting.folder).end()
      #expect(end.status == 0)
      #expect(end.output == "5\n4\n3\nstopped\nthe countdown was cancelled\n")
    }
  }
}
