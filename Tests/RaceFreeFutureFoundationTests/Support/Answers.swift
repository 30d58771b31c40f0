// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// Which part of the body a request wants.
struct AskedRange: Equatable {
  var isRange: Bool
  var condition: String?

  static let all = AskedRange(isRange: false, condition: nil)
  static func rest(_ condition: String) -> AskedRange { AskedRange(isRange: true, condition: condition) }
}

/// A server that gives each request the answer that it has for it.
final class Answers: Sendable {
  let server: TestServer
  private let log: EventLog<AskedRange>

  var asked: [AskedRange] { log.events }

  init(_ answers: (@Sendable (Connection) -> Void)...) {
    let log = EventLog<AskedRange>()
    self.log = log
    server = TestServer { connection in
      log.add(AskedRange(isRange: connection.headers["range"] != nil, condition: connection.headers["if-range"]))
      answers[min(log.events.count, answers.count) - 1](connection)
    }
  }

  deinit { server.stop() }
}

extension Connection {
  /// The first byte that is wanted.
  var start: Int { Int(headers["range"]?.split { "=-".contains($0) }.last ?? "") ?? 0 }

  /// Sends the head of a body and its beginning.
  func sendBeginning(of body: Data, _ header: String = "ETag: \"1\"", _ other: String = "X: y") {
    sendHead(length: body.count, header, other)
    send(body.prefix(body.count / 2))
  }

  /// Sends the part that is wanted, or the given one.
  func sendRest(
    of body: Data,
    from start: Int? = nil,
    to end: Int? = nil,
    total: String? = nil,
    _ headers: String...
  ) {
    let (start, end) = (start ?? self.start, end ?? body.count)
    let range = "Content-Range: bytes \(start)-\(end - 1)/\(total ?? "\(body.count)")"
    let part = Data(body[start..<end])
    sendHead(
      206,
      length: part.count,
      ([range] + (headers.isEmpty ? ["ETag: \"1\""] : headers)).joined(separator: "\r\n")
    )
    send(part)
  }
}
