// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error of a callback with two optionals that brought neither a value nor an error, or both.
public enum CallbackError: Error {
  /// Both arguments were nil.
  case neitherValueNorError
  /// There were a value and this error.
  case bothValueAndError(any Error)
}
