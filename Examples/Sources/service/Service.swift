// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests with work of every kind, all of it in one scope.
final class Service: Sendable {
  let scope = Scope(label: "service")
  private let operations = OperationQueue()
  private let session = URLSession(configuration: .ephemeral)

  /// Answers one request in a scope of its own, inside that of the service.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    // A stopping service finishes its requests, and accepts no new ones.
    guard scope.stopToken.isPending else { return HTTPResponse(statusCode: .serviceUnavailable) }
    let inside = Scope(in: scope, label: request.path)
    say("\(request.path) requested")
    do {
      let text = try await inside.addTask(name: "the answer") { try await self.text(for: request, inside) }.value
      say("\(request.path) answered: \(text)")
      return HTTPResponse(statusCode: .ok, body: Data(text.utf8))
    } catch is UnknownPath {
      return HTTPResponse(statusCode: .notFound, body: Data(Self.help.utf8))
    } catch {
      return HTTPResponse(statusCode: .serviceUnavailable, body: Data("\(error)\n".utf8))
    }
  }

  private struct UnknownPath: Error {}

  private static let help = "try /operation, /process, /transfer, /timer, /long, /stubborn or /stuck\n"

  private func text(for request: HTTPRequest, _ inside: Scope) async throws -> String {
    switch request.path {
    case "/operation":
      let sum = operations.add(label: "a sum") { (1...1_000).reduce(0, +) }
      inside.add(sum)
      return "\(try await sum.value)\n"
    case "/process":
      return try await output(of: "sleep 0.3; echo a child says this", inside)
    case "/transfer":
      guard let url = URL(string: "http://\(request.headers[.host] ?? "")/operation") else { throw URLError(.badURL) }
      let transfer = session.dataFuture(from: url)
      inside.add(transfer)
      return String(decoding: try await transfer.value.0, as: UTF8.self)
    case "/timer":
      let timer = Future.completing(after: .milliseconds(100))
      inside.add(timer)
      try await timer.value
      return "the timer has fired\n"
    case "/long":
      return try await output(of: "sleep 600", inside)
    case "/stubborn":
      return try await output(of: "trap '' INT TERM; echo ready > /dev/null; while :; do sleep 600; done", inside)
    case "/stuck":
      // Work that ignores cancellation; the request waits for it.
      let nobody = Future(label: "nobody")
      inside.add(Task { await nobody.outcome }, name: "stuck")
      return "started\n"
    case "/":
      return Self.help
    default:
      throw UnknownPath()
    }
  }

  /// Runs a shell script in the scope; to stop it, the service sends two requests and then kills it.
  private func output(of script: String, _ inside: Scope) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    let run = process.runFuture(
      stopping: [
        .send(.interrupt, allowing: .milliseconds(200)), .send(.terminate, allowing: .milliseconds(200)), .send(.kill),
      ],
      stopsGroup: true,
      label: "the child of \(inside.origin)"
    )
    inside.add(run)
    say("\(inside.origin) has a child")
    return String(decoding: try await run.value.checkSuccess().standardOutput, as: UTF8.self)
  }
}
