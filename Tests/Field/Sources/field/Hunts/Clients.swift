// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Foundation
import LocalServer
import NIOCore
import NIOHTTP1
import RaceFreeFutureTesting
import Synchronization

extension Hunt {
  private static let version = "AsyncHTTPClient"

  /// Hunts with a server on this machine.
  private static func client<Outcome>(
    _ name: String,
    type: String,
    property: String,
    tool: String = "race",
    _ race: @escaping @Sendable (_ url: String) async -> RaceReport<Outcome>
  ) -> Hunt {
    Hunt(name: name, package: version, type: type, property: property, tool: tool) {
      guard let server = Server(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok") else {
        return Catch(holds: false, effort: "–", fault: "no server can be started", report: "")
      }
      return Catch(await race(server.url.absoluteString))
    }
  }

  static let clients = [
    client(
      "client.cancel",
      type: "`HTTPClient.Task`",
      property: "A request that is cancelled while it ends has one end, the same for its delegate and its future"
    ) { url in
      await race(
        "cancel against the end of a request",
        .init(for: .seconds(20)),
        make: { RequestSubject(url) },
        actors: { subject in
          // The end comes after a time of its own.
          usleep(.random(in: 0...1_500))
          subject.task?.cancel()
        },
        { $0.task?.eventLoop.inEventLoop },
        outcome: { subject, _, _ in subject.end() },
        expect: [.acceptable("finished"), .acceptable("failed")]
      )
    },
    client(
      "client.shutdown",
      type: "`HTTPClient`",
      property: "A request that is made during a shutdown ends, and so does the shutdown"
    ) { url in
      await race(
        "execute against syncShutdown",
        .init(for: .seconds(20)),
        make: { HTTPClient(eventLoopGroupProvider: .singleton) },
        actors: { client in
          do { return "\(try client.get(url: url).wait().status.code)" } catch { return "refused" }
        },
        { client in
          do { try client.syncShutdown() } catch { return "\(error)" }
          return "shut down"
        },
        outcome: { _, request, shutdown in "\(request), \(shutdown)" },
        expect: [.acceptable("200, shut down"), .acceptable("refused, shut down")]
      )
    },
    client(
      "client.shutdowns",
      type: "`HTTPClient`",
      property: "Of two shutdowns one succeeds, and the other is told that it is late"
    ) { _ in
      await race(
        "syncShutdown against syncShutdown",
        .init(for: .seconds(10)),
        make: { HTTPClient(eventLoopGroupProvider: .singleton) },
        actors: { isShutDown($0) },
        { isShutDown($0) },
        outcome: { _, first, second in [first, second].sorted() },
        expect: [.acceptable(["already shut down", "shut down"])]
      )
    },
    client(
      "client.task-cancel",
      type: "`HTTPClient.execute`",
      property: "A task that is cancelled while it awaits a response and its body gets both, or an error",
      tool: "race"
    ) { url in
      await race(
        "cancel against execute",
        .init(rounds: 2_000, for: .seconds(20)),
        make: { TaskOfRequest(url) },
        tasks: { await $0.task.value },
        { $0.task.cancel() },
        outcome: { _, answer, _ in answer },
        expect: [.acceptable("ok"), .acceptable("error")]
      )
    },
  ]
}

private func isShutDown(_ client: HTTPClient) -> String {
  do { try client.syncShutdown() } catch {
    return error as? HTTPClientError == .alreadyShutdown ? "already shut down" : "\(error)"
  }
  return "shut down"
}

/// A request that has been sent, and what its delegate is told.
private final class RequestSubject: HTTPClientResponseDelegate, @unchecked Sendable {
  typealias Response = Void

  /// Set at once, and never changed.
  private(set) var task: HTTPClient.Task<Void>?
  private let ends = Atomic(0)
  private let failures = Atomic(0)

  init(_ url: String) {
    guard let request = try? HTTPClient.Request(url: url) else { return }
    task = HTTPClient.shared.execute(request: request, delegate: self)
  }

  // The counters are relaxed: they are read behind the end of the task's future.
  func didFinishRequest(task: HTTPClient.Task<Void>) throws { ends.add(1, ordering: .relaxed) }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { failures.add(1, ordering: .relaxed) }

  func end() -> String {
    guard let task else { return "no request" }
    var hasValue = true
    do { try task.wait() } catch { hasValue = false }
    // What the event loop does behind the promise.
    try? task.eventLoop.submit {}.wait()
    let told = (ends.load(ordering: .relaxed), failures.load(ordering: .relaxed))
    switch (hasValue, told) {
    case (true, (1, 0)): return "finished"
    case (false, (0, 1)): return "failed"
    default:
      let ending = hasValue ? "succeeded" : "failed"
      return "the future \(ending), the delegate was told of \(told.0) ends and \(told.1) errors"
    }
  }
}

/// A task that makes a request, and reads the body of the response.
private final class TaskOfRequest: Sendable {
  let task: Task<String, Never>

  init(_ url: String) {
    task = Task {
      do {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
        return String(buffer: try await response.body.collect(upTo: 1_000))
      } catch {
        return "error"
      }
    }
  }
}
