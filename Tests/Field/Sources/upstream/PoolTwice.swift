// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import NIOPosix
import Synchronization

private let isOver = Atomic(false)

@Sendable func poolTwice() async -> String? {
  let pool = NIOThreadPool(numberOfThreads: 1)
  pool.start()
  pool.submit { _ in
    Thread.sleep(forTimeInterval: 1)
    isOver.store(true, ordering: .relaxed)
  }
  try? await Task.sleep(for: .milliseconds(200))
  async let first: Void? = try? pool.shutdownGracefully()
  try? await Task.sleep(for: .milliseconds(200))
  try? await pool.shutdownGracefully()
  let wasOver = isOver.load(ordering: .relaxed)
  _ = await first
  return wasOver ? nil : "the second shutdown was over before the work was"
}
