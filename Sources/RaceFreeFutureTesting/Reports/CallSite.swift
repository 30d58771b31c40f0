// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The place of a call in the source code of a test.
struct CallSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: Int
  let column: Int
}
