// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What can be wrong with a `FutureOperation`.
public enum FutureOperationError: Error, Hashable, Sendable {
  /// The operation was finished before anybody had set a result.
  case resultNotSet
}

extension FutureOperationError: CustomStringConvertible {
  /// One sentence, for people.
  public var description: String {
    switch self {
    case .resultNotSet: "the operation was finished without a result: call setResult before finish"
    }
  }
}
