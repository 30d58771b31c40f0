// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads that can be paused.
struct Library: Sendable {
  let session: URLSession
  private let downloads = SharedFutures<URL, URLResponse>()

  init(_ session: URLSession) { self.session = session }

  /// Starts, or goes on as soon as the download before has ended.
  ///
  /// To pause, cancel the future.
  func download(_ url: URL, to file: URL) -> ValueFuture<URLResponse> {
    downloads.join(file) { [session] in
      session.downloadFuture(
        from: url,
        to: file,
        checkResponse: { try $0.checkStatus() },
        keepingPart: true
      )
    }
  }

  /// Gives up a download that is paused.
  func forget(_ file: URL) throws { try URLSession.removePart(of: file) }
}
