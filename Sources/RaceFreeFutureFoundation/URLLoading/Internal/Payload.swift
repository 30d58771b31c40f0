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
  case file(URL)

  var isFile: Bool { if case .file = self { true } else { false } }

  /// Throws if a task can't send it: it would stop the program, block, or run into its timeout.
  func check() throws {
    guard case .file(let url) = self else { return }
    guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
    let status = try status(of: url)
    // Before it is opened: opening may have an effect on a device, and waits for the other end of a pipe.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CocoaError(reading: url, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP)
    }
    // Safe: the string lives through the call.
    let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(reading: url, errno) }
    _ = close(descriptor)
  }

  /// The number of bytes that are sent, if any.
  var length: Int64? {
    switch self {
    case .ofRequest: nil
    case .data(let data): Int64(data.count)
    case .file(let url): (try? status(of: url)).map { Int64($0.st_size) }
    }
  }

  /// Returns what has to be sent again with the request that follows a redirect; nil if it is a request without a body.
  ///
  /// Throws if that can't be had again.
  func repeated(for request: URLRequest) throws -> Payload? {
    if ["GET", "HEAD"].contains(request.httpMethod ?? "GET") { return nil }
    guard case .ofRequest = self else { return self }
    guard request.httpBodyStream == nil else {
      let text = "The request was redirected, and its body is a stream, which can't be read again."
      throw URLError(.requestBodyStreamExhausted, userInfo: [NSLocalizedDescriptionKey: text])
    }
    return request.httpBody?.isEmpty ?? true ? nil : self
  }

  private func status(of file: URL) throws -> stat {
    var status = stat()
    // Safe: the variable and the string live through the call.
    guard unsafe stat(file.path, &status) == 0 else { throw CocoaError(reading: file, errno) }
    return status
  }
}
