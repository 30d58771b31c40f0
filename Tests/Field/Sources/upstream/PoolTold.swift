// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import NIOPosix
import Synchronization

private let isTold = Atomic(false)

@Sendable func poolTold() async -> String? {
  let pool = NIOThreadPool(numberOfThreads: 1)
  pool.start()
  pool.submit { _ in Thread.sleep(forTimeInterval: 0.1) }
  pool.submit { _ in
    Thread.sleep(forTimeInterval: 0.5)
    isTold.store(true, ordering: .relaxed)
  }
  try? await pool.shutdownGracefully()
  return isTold.load(ordering: .relaxed) ? nil : "the pool was shut down before its second item was told"
}
