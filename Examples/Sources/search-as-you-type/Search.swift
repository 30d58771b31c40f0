// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The typed text, and the number of earlier queries.
struct Query: Sendable {
  let number: Int
  let text: String
}

/// The server's answer: the words, and the text that they are for.
struct Answer: Sendable {
  let text: String
  let words: [String]
}

/// Searches while the user types: each query supersedes the ones before.
final class Search: Sendable {
  typealias Show = @Sendable (Result<Answer, any Error>) -> Void

  private let latest = LatestFuture()
  private let session: URLSession
  private let server: URL
  private let screen: DispatchQueue

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - server: The URL of the server.
  ///   - screen: The serial queue on which keys are pressed and results are shown.
  init(asking server: URL, screen: DispatchQueue) {
    let configuration = URLSessionConfiguration.default
    // The naive way leaves many requests open; this limit shouldn't slow it down.
    configuration.httpMaximumConnectionsPerHost = 64
    session = .withTransferDelegate(configuration: configuration)
    self.server = server
    self.screen = screen
  }

  /// Shows the answer to the query unless something else is typed before; the request is cancelled then.
  func type(_ query: Query, show: @escaping Show) -> ValueFuture<Answer> {
    let answer = answer(to: query)
    latest.replace(with: answer, on: screen) { result in show(result) }
    return answer
  }

  /// Notes that the text is empty: no pending answer is shown.
  func clear() { latest.cancel() }

  /// The naive way, to compare: shows every answer when it comes.
  func typeNaively(_ query: Query, show: @escaping Show) -> ValueFuture<Answer> {
    let answer = answer(to: query)
    answer.onResult(on: screen) { result in show(result) }
    return answer
  }

  /// Queries the server; cancelling the answer cancels the request.
  private func answer(to query: Query) -> ValueFuture<Answer> {
    let url = server.appending(queryItems: [
      URLQueryItem(name: "number", value: "\(query.number)"), URLQueryItem(name: "text", value: query.text),
    ])
    return session.dataFuture(from: url).map { data, response in
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      return Answer(text: lines.first.map(String.init) ?? "", words: lines.dropFirst().map(String.init))
    }
  }
}
