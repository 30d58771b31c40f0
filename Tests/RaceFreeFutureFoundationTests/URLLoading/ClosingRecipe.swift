// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session that can be closed at any moment.
struct Client: Sendable {
  let session: URLSession
  private let requests = Scope(label: "requests")

  init(_ session: URLSession) { self.session = session }

  func page(_ url: URL) -> ValueFuture<Data> {
    // Closing waits for the request, also if it begins just now.
    let start = requests.beginActivity("start of a request")
    defer { start.end() }
    let page = session.dataFuture(from: url, linkedTo: requests)
    requests.add(page)
    return page.map { body, _ in body }
  }

  func close() async {
    requests.cancel()  // those that are made later are cancelled at once
    await requests.drain()  // until the session has reported the end of each
    session.finishTasksAndInvalidate()
  }
}
