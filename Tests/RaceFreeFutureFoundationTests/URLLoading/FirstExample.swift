// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func download(_ url: URL, to file: URL, in session: URLSession) -> CancelToken {
  let future = Future(label: "download")
  future.attach {
    let task = session.dataTask(with: url) { data, response, error in
      future.unlessCancelled {
        do {
          let isOK = (response as? HTTPURLResponse)?.statusCode == 200
          guard let data, isOK else { throw error ?? URLError(.badServerResponse) }
          try data.write(to: file)
          future.complete()
        } catch {
          future.cancel(throwing: error)
        }
      }
    }
    task.resume()
    return task
  } stop: { task in
    task.cancel()
  }
  return future.cancelToken
}
