// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cause of a failed download: the reason with which the worker itself cancels its future.
public enum DownloadError: Error, Hashable, CustomStringConvertible {
  /// The server answered with a status other than 2xx.
  case status(Int)
  /// The connection ended before the body did.
  case incomplete(received: Int, expected: Int)
  /// The network failed; a description.
  case network(String)
  /// The file couldn't be written; a description.
  case file(String)

  /// A one-line description.
  public var description: String {
    switch self {
    case .status(let code): "HTTP \(code)"
    case .incomplete(let received, let expected):
      "connection lost at \(grouped(received)) of \(grouped(expected)) bytes"
    case .network(let words): words
    case .file(let words): "cannot write: \(words)"
    }
  }
}

extension DownloadError {
  /// Describes an error of a file.
  init(file error: any Error) {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error } ?? error
    let code = cause as NSError
    // Safe: the string is copied at once.
    self = .file(
      code.domain == NSPOSIXErrorDomain
        ? unsafe String(cString: strerror(Int32(code.code))) : cause.localizedDescription
    )
  }

  /// Describes the failure of a download.
  init(_ error: any Error, of download: Download) {
    let progress = download.progress
    let url = download.request.url
    let host = url.host ?? "the server"
    switch error {
    case let error as DownloadError: self = error
    case is CocoaError: self.init(file: error)
    case let error as URLError:
      if let expected = progress.expected, progress.received > 0, progress.received < expected {
        self = .incomplete(received: progress.received, expected: expected)
      } else if error.code == .cannotFindHost {
        self = .network("cannot find the host \(host)")
      } else if error.code == .cannotConnectToHost {
        self = .network("cannot connect to \(host)\(url.port.map { ":\($0)" } ?? "")")
      } else {
        self = .network(error.localizedDescription)
      }
    default: self = .network(error.localizedDescription)
    }
  }
}

/// Runs a block that uses files, and describes its errors.
func inWords<T>(_ body: () throws -> T) throws(DownloadError) -> T {
  do {
    return try body()
  } catch {
    throw DownloadError(file: error)
  }
}

/// A request to stop: `--cancel-after`.
public struct StopRequest: Error, Equatable, CustomStringConvertible {
  /// The time of the stop, counted from the start of the whole run.
  public let interval: Duration

  /// Makes a request to stop.
  public init(after interval: Duration) {
    self.interval = interval
  }

  /// A one-line description.
  public var description: String { "by hand, \(interval.words) after the start" }
}
