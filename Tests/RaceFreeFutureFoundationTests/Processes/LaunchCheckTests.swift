// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Foundation
  import RaceFreeFuture
  import TestSupport
  import Testing

  @testable import RaceFreeFutureFoundation

  @Suite(.exitTests) struct LaunchCheckTests {
    @Test func `a launch that fails leaves no descriptor open, and its error has the path that is at fault`() async {
      await #expect(processExitsWith: .success) {
        let files = try Scripts()
        defer { files.remove() }
        func sockets() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.hasPrefix("socket:") == true
          }.count
        }
        _ = try await shell("exit 0").runFuture().inTime
        let before = try sockets()
        for failure in files.failures {
          for _ in 0..<3 {
            let error = await #expect(throws: CocoaError.self) { try await failure.process.runFuture().inTime }
            #expect(error?.filePath == failure.path)
            #expect((error?.underlying as? POSIXError)?.code == failure.code, "\(failure)")
          }
        }
        for _ in 0..<3 {
          let long = shell("exit 0", String(repeating: "x", count: 131_072))
          #expect(await posixError(of: long) == .E2BIG)
          let many = shell("exit 0")
          many.arguments? += Array(repeating: String(repeating: "x", count: 1_000), count: 10_000)
          #expect(await posixError(of: many) == .E2BIG)
          let environment = shell("exit 0")
          environment.environment = ["X": String(repeating: "x", count: 131_070)]
          #expect(await posixError(of: environment) == .E2BIG)
        }
        let after = try sockets()
        #expect(after <= before)
      }
    }

    @Test func `a string that the system would cut off is refused`() async {
      await #expect(processExitsWith: .success) {
        let argument = shell("exit 0", "one\u{0}two")
        let name = shell("exit 0")
        name.environment = ["X\u{0}Y": "1"]
        let value = shell("exit 0")
        value.environment = ["X": "1\u{0}"]
        let path = Process()
        path.executableURL = URL(fileURLWithPath: "/bin/sh\u{0}-not")
        let other = shell("exit 0")
        other.environment = ["X=Y": "1"]  // It would set X.
        for process in [argument, name, value, other] {
          #expect(await posixError(of: process) == .EINVAL)
          #expect(!process.isRunning)
        }
        await #expect(throws: (any Error).self) { try await path.runFuture().inTime }
      }
    }

    /// In a process of its own, where nobody forks while a script is being written: it would be busy.
    @Test func `what the system takes is launched`() async {
      await #expect(processExitsWith: .success) {
        let files = try Scripts()
        defer { files.remove() }
        for name in ["script", "spaced", "script of a script", "relative", "without a line's end"] {
          let process = Process()
          process.executableURL = files.url(name)
          process.currentDirectoryURL = files.directory
          let status = try await process.runFuture().inTime.terminationStatus
          #expect(status == (name == "without a line's end" ? 0 : 3), "\(name)")
        }
        let long = shell("exit ${#1}", String(repeating: "x", count: 131_071))
        let status = try await long.runFuture().inTime.terminationStatus
        #expect(status == 255)
      }
    }
  }

  /// Files that can be executed, and others.
  private struct Scripts {
    struct Failure {
      var process: Process
      var path: String
      var code: POSIXErrorCode
    }

    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("launch check \(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let sh = "/bin/sh\nexit 3\n"
      try add("script", "#!" + sh)
      try add("spaced", "#! \t" + sh)
      try add("script of a script", "#!\(directory.path.replacing(" ", with: "-"))/script\n")
      try FileManager.default.createSymbolicLink(
        atPath: directory.path.replacing(" ", with: "-"),
        withDestinationPath: directory.path
      )
      try add("relative", "#!script\n")
      try add("without a line's end", "#!/bin/sh")
      try add("text", "exit 3\n")
      try add("empty", "")
      try add("no interpreter", "#! \n")
      try add("endless interpreter", "#!/" + String(repeating: "x", count: 300) + "\n")
      try add("missing interpreter", "#!/nonexistent/sh\n")
      try add("DOS", "#!/bin/sh\r\nexit 3\r\n")
      try add("directory as interpreter", "#!/bin\n")
      try add("data as interpreter", "#!/etc/passwd\n")
      try add("circle", "#!\(link)/circle\n")
      try add("behind a script", "#!\(link)/missing-interpreter\n")
      try add("missing-interpreter", "#!/nonexistent/sh\n")
    }

    /// A path without blanks.
    private var link: String { directory.path.replacing(" ", with: "-") }

    func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

    func remove() {
      try? FileManager.default.removeItem(at: directory)
      try? FileManager.default.removeItem(atPath: link)
    }

    var failures: [Failure] {
      var all = [
        failure("missing interpreter", "/nonexistent/sh", .ENOENT),
        failure("behind a script", "/nonexistent/sh", .ENOENT),
        failure("DOS", "/bin/sh\r", .ENOENT),
        failure("directory as interpreter", "/bin", .EACCES),
        failure("data as interpreter", "/etc/passwd", .EACCES),
        failure("no interpreter", nil, .ENOEXEC),
        failure("endless interpreter", nil, .ENOEXEC),
        failure("circle", nil, .ELOOP),
      ]
      // Where formats are registered, somebody might run them.
      if !systemKnowsOtherFormats() { all += [failure("text", nil, .ENOEXEC), failure("empty", nil, .ENOEXEC)] }
      for (path, code) in [("/nonexistent", POSIXErrorCode.ENOENT), ("/etc/passwd", .ENOTDIR)] {
        let process = shell("exit 0")
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        all.append(Failure(process: process, path: path, code: code))
      }
      return all
    }

    private func failure(_ name: String, _ path: String?, _ code: POSIXErrorCode) -> Failure {
      let process = Process()
      process.executableURL = url(name)
      return Failure(process: process, path: path ?? url(name).path, code: code)
    }

    private func add(_ name: String, _ text: String) throws {
      _ = FileManager.default.createFile(
        atPath: url(name).path,
        contents: Data(text.utf8),
        attributes: [.posixPermissions: 0o755]
      )
    }
  }

  private func posixError(of process: Process) async -> POSIXErrorCode? {
    let error = await #expect(throws: POSIXError.self) { try await process.runFuture().inTime }
    return error?.code
  }
#endif
