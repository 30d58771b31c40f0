// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Searches while the user types, with a `LatestFuture` and without.
final class Search: Sendable {
  private let latest = LatestFuture()
  private let session: URLSession
  private let server: URL
  /// The serial queue on which keys are pressed and results are shown.
  private let screen: DispatchQueue

  init(asking server: URL, screen: DispatchQueue) {
    let configuration = URLSessionConfiguration.default
    // The naive way leaves many requests open; this limit shouldn't slow it down.
    configuration.httpMaximumConnectionsPerHost = 64
    session = .withTransferDelegate(configuration: configuration)
    self.server = server
    self.screen = screen
  }

  /// Shows the answer unless something else is typed before; the request is cancelled then.
  func type(_ text: String, show: @escaping @Sendable (String) -> Void) -> ValueFuture<String> {
    let answer = answer(to: text)
    latest.replace(with: answer, on: screen) { result in show((try? result.get()) ?? "failed") }
    return answer
  }

  /// The naive way, to compare: shows every answer when it comes.
  func typeNaively(_ text: String, show: @escaping @Sendable (String) -> Void) -> ValueFuture<String> {
    let answer = answer(to: text)
    answer.onResult(on: screen) { result in show((try? result.get()) ?? "failed") }
    return answer
  }

  /// Asks the server; cancelling the answer cancels the request.
  private func answer(to text: String) -> ValueFuture<String> {
    session.dataFuture(from: server.appendingPathComponent(text)).map { data, response in
      try response.checkStatus()
      return String(decoding: data, as: UTF8.self)
    }
  }
}
