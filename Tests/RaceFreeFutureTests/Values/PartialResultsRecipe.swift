// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

func answers(
  from servers: [ValueFuture<String>],
  within interval: Duration
) async throws -> [String] {
  for server in servers { server.cancel(after: interval) }
  let results = try await ValueFuture.allSettled(servers).value
  return results.compactMap { try? $0.get() }
}
