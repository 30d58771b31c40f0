// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A failure of a transfer whose response has a status that the caller doesn't accept.
public struct HTTPStatusError: Error, Sendable, CustomStringConvertible {
  /// The head of the response.
  public let response: HTTPURLResponse

  /// Creates an error, for custom checks.
  ///
  /// - Parameter response: The head of the response.
  public init(response: HTTPURLResponse) {
    self.response = response
  }

  /// The status, for example 404.
  public var statusCode: Int { response.statusCode }

  /// One sentence, for people; the URL in it has no user, password, query and fragment.
  public var description: String {
    "the server answered with status \(statusCode)" + ((response.url?.name).map { ": \($0)" } ?? "")
  }
}

extension URLResponse {
  /// Throws if the status indicates that the request didn't succeed.
  ///
  /// To make it part of a transfer: `session.dataFuture(from: url, checkResponse: { try $0.checkStatus() })`. Then the
  /// body of an error isn't loaded. To check the status later: `session.dataFuture(from: url).map { body, response in …
  /// }`.
  ///
  /// - Parameter accepted: The statuses that are a success; those from 200 to 299 if it is left out. A response that
  ///   has no status, such as that of a file, is always a success.
  /// - Throws: ``HTTPStatusError`` with this response.
  public func checkStatus(in accepted: some Sequence<Int> = 200..<300) throws(HTTPStatusError) {
    guard let response = self as? HTTPURLResponse, !accepted.contains(response.statusCode) else { return }
    throw HTTPStatusError(response: response)
  }
}
