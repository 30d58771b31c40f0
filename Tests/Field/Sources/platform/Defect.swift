// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What was seen of a defect.
struct Finding {
  enum Verdict: String, CaseIterable, CustomStringConvertible {
    case there = "still there"
    case gone = "gone"
    /// For those that need luck: not seen, in as many attempts as the text says.
    case unseen = "not seen"
    case unknown = "unclear"

    var description: String { rawValue }
  }

  var verdict: Verdict
  var text: String

  init(_ verdict: Verdict, _ text: String) {
    self.verdict = verdict
    self.text = text
  }
}

/// A defect of the platform that this library works around.
package struct Defect {
  /// The argument with which the program looks for it.
  package var name: String
  /// The defect, in one sentence.
  var title: String
  /// The file of the library that works around it.
  var workaround: String
  /// Where it was reported.
  var known = "no report found"
  /// Whether it shows itself by ending the process.
  var crashes = false
  var look: () -> Finding

  package static var all: [Defect] { processes + signals + operations + sources + loading }
}

/// Written before a semaphore is signalled, and read after waiting for it.
final class Answer<Value>: @unchecked Sendable {
  var value: Value?
}
