// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Returns the number of bytes of a response's body; nil if it isn't known.
///
/// Throws if the response contradicts itself, or brings a part that wasn't asked for.
///
/// A server that compresses declares the length of the compressed body, but the session delivers the decoded one. The
/// length of a chunked body is that of its chunks, regardless of the header. For some requests and statuses there is no
/// body; on Linux the body of a redirect that isn't followed gets lost.
func expectedLength(of response: URLResponse, to request: URLRequest?) throws -> Int64? {
  if let response = response as? HTTPURLResponse { try checkHead(of: response, to: request) }
  let length = response.expectedContentLength
  guard length >= 0 else { return nil }
  guard let response = response as? HTTPURLResponse else { return length }
  let hasBody = request?.httpMethod != "HEAD" && !isBodiless(response.statusCode)
  let isAsItIs = ["Content-Encoding", "Transfer-Encoding"].allSatisfy { name in
    [nil, "", "identity"].contains(response.value(forHTTPHeaderField: name)?.lowercased())
  }
  return hasBody && isAsItIs ? length : nil
}

/// Throws if nobody can say whether the body of a response is whole: RFC 9110, section 15.3.7; RFC 9112, section 6.3.
private func checkHead(of response: HTTPURLResponse, to request: URLRequest?) throws {
  var isClear = response.statusCode != 206 || request?.value(forHTTPHeaderField: "Range") != nil
  // Of several different lengths, or one that is no number, libcurl makes what it likes.
  if response.value(forHTTPHeaderField: "Transfer-Encoding") == nil {
    let field = response.value(forHTTPHeaderField: "Content-Length")
    let lengths = field?.split(separator: ",").map { Int64($0.trimmingCharacters(in: .whitespaces)) } ?? []
    if Set(lengths).count > 1 || lengths.contains(nil) { isClear = false }
  }
  if !isClear { throw URLError(.badServerResponse, userInfo: [NSURLErrorFailingURLErrorKey: response.url as Any]) }
}

private func isBodiless(_ status: Int) -> Bool {
  #if canImport(FoundationNetworking)
    if 301...308 ~= status { return true }
  #endif
  return status < 200 || [204, 304].contains(status)
}

/// Returns true for a response that is only a notice, and that another one will follow: RFC 9110, section 15.2.
///
/// FoundationNetworking reports these, too. A switch to another protocol is the last of its request.
func isInterim(_ response: URLResponse) -> Bool {
  guard let status = (response as? HTTPURLResponse)?.statusCode else { return false }
  return 100..<200 ~= status && status != 101
}

/// Throws if fewer or more bytes have arrived than the response promised.
func checkLength(_ received: Int64, of response: URLResponse, promised: Int64?) throws {
  // Other protocols promise no length.
  guard response is HTTPURLResponse, let promised, received != promised else { return }
  throw URLError(
    .networkConnectionLost,
    userInfo: [
      NSLocalizedDescriptionKey: "The body has \(received) bytes; the response promised \(promised).",
      NSURLErrorFailingURLErrorKey: response.url as Any,
    ]
  )
}
