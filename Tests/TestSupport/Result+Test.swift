// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Result {
  /// The value, if it is one.
  package var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  /// The error, if it is one.
  package var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
