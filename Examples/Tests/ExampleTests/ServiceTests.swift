// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service, as a process of its own that gets requests and signals.
struct ServiceTests {
  @Test func `work of every kind is answered, and a signal ends the service at once when nothing is left`() async throws
  {
    try await withService { service in
      #expect(try await service.get("operation") == "500500\n")
      #expect(try await service.get("process") == "a child says this\n")
      #expect(try await service.get("transfer") == "500500\n")
      #expect(try await service.get("timer") == "the timer has fired\n")
      #expect(try await service.response("").status == 200)
      let unknown = try await service.response("nope")
      #expect(unknown.status == 404 && unknown.text.hasPrefix("try /operation"))
      let (status, output) = try await service.end(SIGTERM)
      #expect(status == 0)
      #expect(output.hasSuffix("\neverything has ended\n"), "\(output)")
      #expect(output.contains("\nstopping: no more requests\n"), "\(output)")
    }
  }

  @Test func `what is under way is finished before the end`() async throws {
    try await withService(grace: 3_600) { service in
      // The answer itself is sent at the very end of the process, and may be late.
      async let answer = try? service.get("process")
      try await service.begins("/process")
      let (status, output) = try await service.end(SIGINT)
      #expect(status == 0)
      #expect(output.contains("/process answered: a child says this\n"), "\(output)")
      _ = await answer
    }
  }

  @Test func `what isn't over in its time is cancelled, a stubborn child is killed`() async throws {
    try await withService(grace: 0.1) { service in
      async let long = try? service.get("long")
      async let stubborn = try? service.get("stubborn")
      try await service.begins("/long")
      try await service.begins("/stubborn")
      let (status, output) = try await service.end(SIGTERM)
      #expect(status == 0, "\(output)")
      #expect(output.contains("cancelling: timed out after 0.1 seconds: stopping service"), "\(output)")
      _ = await (long, stubborn)
    }
  }

  @Test func `a second signal cancels without waiting`() async throws {
    try await withService(grace: 3_600) { service in
      async let long = try? service.get("long")
      try await service.begins("/long")
      service.send(SIGTERM)
      try await service.says("stopping: no more requests")
      let (status, output) = try await service.end(SIGTERM)
      #expect(status == 0 && output.contains("cancelling: "), "\(output)")
      _ = await long
    }
  }

  @Test func `it says what is open when it is asked, and goes on`() async throws {
    try await withService(grace: 0.1) { service in
      async let long = try? service.get("long")
      try await service.begins("/long")
      service.send(SIGUSR1)
      try await eventually("it has said it", within: .seconds(600)) {
        service.child.errors.contains("\n    the child of /long is pending after ")
      }
      let lines = service.child.errors.split(separator: "\n")
      for (line, text) in zip(lines, ["service is open, ", "  /long is open, ", "    the answer is pending after "]) {
        #expect(line.hasPrefix(text), "\(lines)")
      }
      let (status, output) = try await service.end(SIGTERM)
      #expect(status == 0, "\(output)")
      _ = await long
    }
  }

  @Test func `what follows nobody is named, and the status says so`() async throws {
    try await withService(grace: 0.1, patience: 0.2) { service in
      #expect(try await service.get("stuck") == "started\n")
      let (status, output) = try await service.end(SIGTERM)
      #expect(status == 1)
      #expect(output.contains(": 1 thing remains\n  stuck still runs"), "\(output)")
    }
  }
}

/// A service that runs, and what a test does with it.
private struct RunningService: Sendable {
  let url: URL
  let child: Child

  func get(_ path: String) async throws -> String { try await response(path).text }

  func response(_ path: String) async throws -> (status: Int?, text: String) {
    let (data, response) = try await URLSession.shared.dataFuture(from: url.appendingPathComponent(path)).value
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self))
  }

  func send(_ signal: Int32) { kill(child.process.processIdentifier, signal) }

  /// Returns when it has written this.
  func says(_ text: String) async throws {
    try await eventually("\(text) is said", within: .seconds(600)) { child.output.contains(text) }
  }

  /// Returns when a request's child is in its scope.
  func begins(_ path: String) async throws { try await says("\(path) has a child\n") }

  func end(_ signal: Int32) async throws -> (status: Int32, output: String) {
    send(signal)
    let (status, output, _) = try await child.end()
    return (status, output)
  }
}

private func withService(
  grace: Double = 3_600,
  patience: Double = 3_600,
  _ body: (RunningService) async throws -> Void
) async throws {
  let child = try Child("service", ["--grace", "\(grace)", "--patience", "\(patience)"])
  // Whatever comes, nothing is left behind.
  defer { kill(child.process.processIdentifier, SIGKILL) }
  try await eventually("it serves", within: .seconds(600)) { child.output.hasSuffix("\n") }
  let address = child.output.dropFirst("serving ".count).prefix { $0 != "\n" }
  try await body(RunningService(url: try #require(URL(string: String(address))), child: child))
}
