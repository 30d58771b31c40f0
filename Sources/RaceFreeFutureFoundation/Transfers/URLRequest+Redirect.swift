// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

extension URLRequest {
  /// Returns the request that follows a redirect, without the credentials unless it stays at the same origin: the same
  /// scheme, host and port.
  package func redirected(from old: URL?, by configuration: URLSessionConfiguration) -> URLRequest {
    var request = self
    let isSame = if let url, let old { url.hasOrigin(of: old) } else { false }
    if !isSame { request.removeCredentials(by: configuration) }
    #if canImport(FoundationNetworking)
      // There, only the first request of a task with a delegate gets the cookies of the storage.
      if let cookies = configuration.cookies(for: url) { request.setValue(cookies, forHTTPHeaderField: "Cookie") }
    #endif
    return request
  }

  private mutating func removeCredentials(by configuration: URLSessionConfiguration) {
    let common = (configuration.httpAdditionalHeaders ?? [:]).keys.compactMap { ($0 as? String)?.lowercased() }
    for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
      // An empty field overrides the one that the session would add.
      setValue(common.contains(name.lowercased()) ? "" : nil, forHTTPHeaderField: name)
    }
  }
}

extension URL {
  /// True if scheme, host and port are the same: RFC 6454.
  fileprivate func hasOrigin(of other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
      && effectivePort == other.effectivePort
  }

  private var effectivePort: Int? {
    port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""]
  }
}

#if canImport(FoundationNetworking)
  extension HTTPURLResponse {
    /// The URL to which a redirect leads: RFC 9110, section 10.2.2; nil if it isn't one of HTTP.
    ///
    /// FoundationNetworking takes each relative one for a path from the root, and keeps the user at another host.
    var redirectTarget: URL? {
      let target = value(forHTTPHeaderField: "Location").flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
      guard let target, target.host != nil, ["http", "https"].contains(target.scheme?.lowercased()) else { return nil }
      return target
    }
  }

  extension URLSessionConfiguration {
    /// The field with the stored cookies for a URL, if there are any.
    fileprivate func cookies(for url: URL?) -> String? {
      guard httpShouldSetCookies, let url else { return nil }
      // The storage looks at the host alone.
      let cookies = httpCookieStorage?.cookies(for: url)?.filter { $0.belongs(to: url) } ?? []
      return cookies.isEmpty ? nil : HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
    }
  }

  extension HTTPCookie {
    /// True if a request to the cookie's host brings the cookie: RFC 6265, section 5.4.
    fileprivate func belongs(to url: URL) -> Bool {
      if isSecure, url.scheme?.lowercased() != "https" { return false }
      let place = url.path.isEmpty ? "/" : url.path
      return place == path || place.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
  }
#endif
