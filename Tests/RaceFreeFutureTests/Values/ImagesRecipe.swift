// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

final class Images: Sendable {
  private let running = Mutex<[String: SharedFuture<[UInt8]>]>([:])
  private let load: @Sendable (String, CancelToken) throws -> [UInt8]

  init(load: @escaping @Sendable (String, CancelToken) throws -> [UInt8]) {
    self.load = load
  }

  func image(_ name: String) -> ValueFuture<[UInt8]> {
    running.withLock { running in
      if let joiner = running[name]?.join() {
        // One that has failed is about to be forgotten.
        guard case .failure? = joiner.result else { return joiner }
      }
      // No client has asked yet, all have left, or it has failed.
      let work = ValueFuture<[UInt8]>.lazy(label: name) { [load] token in
        try load(name, token)
      }
      let shared = SharedFuture(work)
      running[name] = shared
      work.onFailure { [weak shared] _ in self.forget(name, shared) }
      work.onCancel { [weak shared] in self.forget(name, shared) }
      return shared.join() ?? work
    }
  }

  private func forget(_ name: String, _ shared: SharedFuture<[UInt8]>?) {
    running.withLock { running in
      // By now there may be newer work of the same name.
      if running[name] === shared { running[name] = nil }
    }
  }
}
