// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The means to request the rest of a body: RFC 9110, sections 13.1.5, 14.2 and 15.3.7.
struct Resumption: Codable, Sendable {
  /// The header field in which the server has identified the body, and the identification, which changes with every
  /// change of the body.
  private let field: String
  private let validator: String
  /// The address for which the server has done so.
  private let place: URLComponents?

  /// Returns nil if the rest can't be requested, or isn't certain to fit.
  init?(of response: URLResponse) {
    guard let response = response as? HTTPURLResponse, response.statusCode == 200 else { return nil }
    let field = { response.value(forHTTPHeaderField: $0) }
    place = response.place
    // A compressed body has been decoded: the number of its bytes that were read is unknown.
    guard isUncompressed(response) else { return nil }
    guard field("Accept-Ranges")?.lowercased() != "none" else { return nil }
    if let tag = field("ETag") {
      // A weak tag may stay the same when bytes change.
      guard tag.count >= 2, tag.first == "\"", tag.dropFirst().firstIndex(of: "\"") == tag.indices.last else {
        return nil
      }
      (self.field, validator) = ("ETag", tag)
    } else if let modified = field("Last-Modified"), let date = field("Date") {
      // Later in the same second it might have changed again.
      guard let first = httpDate(modified), let last = httpDate(date), last.timeIntervalSince(first) >= 1 else {
        return nil
      }
      (self.field, validator) = ("Last-Modified", modified)
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

  /// Returns true if a response brings a part of the same body, as it is.
  ///
  /// Its declaration has to be there: a server that ignores the condition of the request may send a part of another
  /// body. And it has to come from the same address: only there the identification counts.
  func identifies(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse, isUncompressed(response) else { return false }
    return response.value(forHTTPHeaderField: field) == validator && response.place == place
  }
}

/// A body of which a later download may request the rest.
struct ResumableBody: Codable {
  var resumption: Resumption
  /// The number of its bytes, if it is known.
  var length: Int64?
}

/// The part of a body that a response brings.
struct ContentRange: Hashable {
  /// The offsets of the first byte and of the byte after the last one.
  let start, end: Int64
  /// The length of the whole body, if it is known.
  let total: Int64?

  /// Returns nil if the response doesn't bring exactly one declared part.
  init?(of response: URLResponse) {
    guard let response = response as? HTTPURLResponse, response.statusCode == 206 else { return nil }
    // As in "bytes 500-999/1000".
    let words = response.value(forHTTPHeaderField: "Content-Range")?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, bounds.count == 2, let start = bounds[0], let last = bounds[1] else { return nil }
    total = Int64(parts[1])
    guard start <= last, last < total ?? .max, total != nil || parts[1] == "*" else { return nil }
    (self.start, end) = (start, last + 1)
  }
}

extension HTTPURLResponse {
  /// The address from which the response has come, after redirects, without the query: that may be a signature, another
  /// one each time.
  fileprivate var place: URLComponents? {
    var place = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    place?.query = nil
    place?.fragment = nil
    return place
  }
}

private func isUncompressed(_ response: HTTPURLResponse) -> Bool {
  [nil, "", "identity"].contains(response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased())
}

private func httpDate(_ text: String) -> Date? {
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(secondsFromGMT: 0)
  format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
  return format.date(from: text)
}
