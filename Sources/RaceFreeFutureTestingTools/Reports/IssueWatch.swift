// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  internal import Testing
#endif

/// Learns of the issues of code that is run again and again: an expectation that fails there belongs to one order, not
/// to the test.
package enum IssueWatch {
  /// Runs a body; failures that it records, or that tasks with its task-local values record, are told of, but aren't
  /// issues of the test.
  ///
  /// - Parameters:
  ///   - told: Called with the text of each, on the thread that records it.
  ///   - body: The code.
  package static func run(telling told: @escaping @Sendable (String) -> Void, _ body: () -> Void) {
    #if canImport(Testing)
      let isFailure: @Sendable (Issue) -> Bool = { issue in
        #if compiler(>=6.3)
          if issue.severity < .error { return false }
        #endif
        told("\(issue)")
        return true
      }
      withKnownIssue(isIntermittent: true, body, matching: isFailure)
    #else
      body()
    #endif
  }
}
