// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A reason for cancelling that can be told from other ones.
package struct Reason: Error, Equatable {
  package let text: String

  package init(_ text: String) { self.text = text }
}

/// What a thrown or stored reason is, if it is one of ours.
package func reason(_ error: (any Error)?) -> Reason? { error as? Reason }
