// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The means to request the rest of a body: RFC 9110, sections 13.1.5 and 14.2.
struct Resumption: Sendable {
  /// The identification of the body by the server, which changes with every change of the body.
  let validator: String

  /// Returns nil if the rest can't be requested, or isn't certain to fit.
  init?(of response: URLResponse) {
    guard let response = response as? HTTPURLResponse, response.statusCode == 200 else { return nil }
    let field = { response.value(forHTTPHeaderField: $0) }
    // A compressed body has been decoded: the number of its bytes that were read is unknown.
    guard [nil, "", "identity"].contains(field("Content-Encoding")?.lowercased()) else { return nil }
    guard field("Accept-Ranges")?.lowercased() != "none" else { return nil }
    if let tag = field("ETag") {
      // A weak tag may stay the same when bytes change.
      guard tag.count >= 2, tag.first == "\"", tag.dropFirst().firstIndex(of: "\"") == tag.indices.last else {
        return nil
      }
      validator = tag
    } else if let modified = field("Last-Modified"), let date = field("Date") {
      // Later in the same second it might have changed again.
      guard let first = httpDate(modified), let last = httpDate(date), last.timeIntervalSince(first) >= 1 else {
        return nil
      }
      validator = modified
    } else {
      return nil
    }
  }

  /// Returns the request for the rest after `count` bytes, or for the whole body if it has changed; nil if it can't be
  /// made.
  func request(_ request: URLRequest, after count: Int64) -> URLRequest? {
    guard count > 0, ["GET", nil].contains(request.httpMethod) else { return nil }
    guard ["Range", "If-Range"].allSatisfy({ request.value(forHTTPHeaderField: $0) == nil }) else { return nil }
    var request = request
    request.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    request.setValue(validator, forHTTPHeaderField: "If-Range")
    // A part of a compressed body would be of no use.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    request.cachePolicy = .reloadIgnoringLocalCacheData
    return request
  }
}

/// The part of a body that a response brings.
struct ContentRange: Hashable {
  let start: Int64
  /// The length of the whole body, if it is known.
  let total: Int64?

  /// Returns nil if the response doesn't bring exactly one declared part.
  init?(of response: URLResponse) {
    guard let response = response as? HTTPURLResponse, response.statusCode == 206 else { return nil }
    // As in "bytes 500-999/1000".
    let words = response.value(forHTTPHeaderField: "Content-Range")?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split { "-/".contains($0) }
    guard parts.count == 3, let start = Int64(parts[0]), start >= 0 else { return nil }
    self.start = start
    total = Int64(parts[2])
  }
}

private func httpDate(_ text: String) -> Date? {
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(secondsFromGMT: 0)
  format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
  return format.date(from: text)
}
