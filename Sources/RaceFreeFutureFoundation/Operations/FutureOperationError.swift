// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The errors of a `FutureOperation`.
public enum FutureOperationError: Error, Hashable, Sendable {
  /// The operation was finished before a result had been set.
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
