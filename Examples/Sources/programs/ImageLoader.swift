// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// An image loader: each image is loaded once for all who want it, four at a time; a hundred are kept.
struct ImageLoader<Image: Sendable>: Sendable {
  let load: @Sendable (String) async throws -> Image
  let downloads = Scope(limit: 4, label: "downloads")
  private let images = SharedFutures<String, Image>(keeping: 100)

  init(load: @escaping @Sendable (String) async throws -> Image) { self.load = load }

  /// Returns the image; a view that no longer wants it cancels or drops the future.
  func image(_ name: String) -> ValueFuture<Image> {
    images.join(name, label: name) { [load, downloads] in
      downloads.addTask(name: name) {
        try await CancelToken.current.retry(attempts: 3, pausing: .milliseconds(1)) { try await load(name) }
      }
    }
  }

  /// Returns those of the images that are there in time.
  func images(_ names: [String], within limit: Duration) async throws -> [Image] {
    let images = names.map(image)
    for image in images { image.cancel(after: limit) }
    return try await ValueFuture.allSettled(images).ownedValue.compactMap { try? $0.get() }
  }

  func close() async throws { try await downloads.cancelAndDrain(within: .seconds(60)) }
}
