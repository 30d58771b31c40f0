// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What was seen of a defect.
package struct Finding: Sendable {
  package enum Verdict: String, CaseIterable, CustomStringConvertible, Sendable {
    case there = "still there"
    case gone = "gone"
    /// For those that need luck: not seen, in as many attempts as the text says.
    case unseen = "not seen"
    case unknown = "unclear"

    package var description: String { rawValue }
  }

  package var verdict: Verdict
  package var text: String

  package init(_ verdict: Verdict, _ text: String) {
    self.verdict = verdict
    self.text = text
  }
}

/// A defect of other people's code.
package struct Defect: Sendable {
  /// The argument with which the program looks for it.
  package var name: String
  /// The defect, in one sentence.
  var title: String
  /// The last cell of its row: the file that works around it, or the package.
  var about: String
  /// Where it was reported.
  var known: String
  /// Whether it shows itself by ending the process.
  var crashes: Bool
  var look: @Sendable () async -> Finding

  package init(
    name: String,
    title: String,
    about: String,
    known: String = "no report found",
    crashes: Bool = false,
    look: @escaping @Sendable () async -> Finding
  ) {
    (self.name, self.title, self.about) = (name, title, about)
    (self.known, self.crashes, self.look) = (known, crashes, look)
  }
}

/// Written before a semaphore is signalled, and read after waiting for it.
package final class Answer<Value>: @unchecked Sendable {
  package var value: Value?

  package init() {}
}
