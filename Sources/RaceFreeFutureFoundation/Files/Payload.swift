// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The data that a task sends.
enum Payload {
  case ofRequest
  case data(Data)
  /// A file, and the number of its bytes when it was looked at: so many are sent.
  case file(URL, length: Int64)

  var isFile: Bool { if case .file = self { true } else { false } }

  /// Returns the payload with the contents of a file.
  ///
  /// Throws if a task can't send it: it would stop the program, block, or run into its timeout.
  static func contents(of url: URL) throws -> Payload {
    guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
    var status = stat()
    // Safe: the variable and the string live through the call.
    guard unsafe stat(url.path, &status) == 0 else { throw CocoaError(reading: url, errno) }
    // Before it is opened: opening may have an effect on a device, and waits for the other end of a pipe.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CocoaError(reading: url, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP)
    }
    // Safe: the string lives through the call.
    let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(reading: url, errno) }
    _ = close(descriptor)
    return .file(url, length: Int64(status.st_size))
  }

  /// The number of bytes that are sent, if any.
  var length: Int64? {
    switch self {
    case .ofRequest: nil
    case .data(let data): Int64(data.count)
    case .file(_, let length): length
    }
  }

  /// Returns what has to be sent again with the request that follows a redirect; nil if it is a request without a body.
  ///
  /// Throws if that can't be had again.
  func repeated(for request: URLRequest) throws -> Payload? {
    if ["GET", "HEAD"].contains(request.httpMethod ?? "GET") { return nil }
    switch self {
    case .ofRequest: break
    case .data: return self
    case .file(let url, _): return try .contents(of: url)
    }
    guard request.httpBodyStream == nil else {
      let text = "The request was redirected, and its body is a stream, which can't be read again."
      throw URLError(.requestBodyStreamExhausted, userInfo: [NSLocalizedDescriptionKey: text])
    }
    return request.httpBody?.isEmpty ?? true ? nil : self
  }
}
