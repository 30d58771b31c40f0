// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func pages(
  _ urls: [URL],
  in session: URLSession,
  below parent: Future = Future(label: "pages")
) -> ValueFuture<[Data]> {
  let all = urls.map { url in
    session.dataFuture(from: url, linkedTo: parent).map { data, _ in data }
  }
  let pages = ValueFuture<[Data]>.all(all)
  // The first failure makes the others useless, and is why they end.
  pages.onFailure { error in parent.cancel(throwing: error) }
  return pages
}
