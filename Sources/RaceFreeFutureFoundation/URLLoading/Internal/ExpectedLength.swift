// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// How many bytes of a body come with a response; nil if that isn't known.
///
/// A server that compresses says how long the compressed body is, and what comes is the other one. In chunks the body is
/// as long as they are, whatever the header says. To some requests, and with some statuses, none comes; on Linux the body
/// of a redirect that isn't followed gets lost.
func expectedLength(of response: URLResponse, to request: URLRequest?) -> Int64? {
  let length = response.expectedContentLength
  guard length >= 0 else { return nil }
  guard let response = response as? HTTPURLResponse else { return length }
  let hasBody = request?.httpMethod != "HEAD" && !isBodiless(response.statusCode)
  let isAsItIs = ["Content-Encoding", "Transfer-Encoding"].allSatisfy { name in
    [nil, "", "identity"].contains(response.value(forHTTPHeaderField: name)?.lowercased())
  }
  return hasBody && isAsItIs ? length : nil
}

private func isBodiless(_ status: Int) -> Bool {
  #if canImport(FoundationNetworking)
    if 301...308 ~= status { return true }
  #endif
  return status < 200 || [204, 304].contains(status)
}

/// Throws if fewer or more bytes have come than the response promised.
func checkLength(_ received: Int64, of response: URLResponse, promised: Int64?) throws {
  // Other protocols promise nothing.
  guard response is HTTPURLResponse, let promised, received != promised else { return }
  throw URLError(
    .networkConnectionLost,
    userInfo: [
      NSLocalizedDescriptionKey: "The body has \(received) bytes; the response promised \(promised).",
      NSURLErrorFailingURLErrorKey: response.url as Any,
    ]
  )
}
