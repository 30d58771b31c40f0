// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a report says of a history that no order explains: as text, and as a page.
struct HistoryWords: Sendable {
  /// The calls that are shown, and the others.
  let title: String
  let timeline: Timeline
  /// The same with labels of any length.
  let picture: Timeline
  /// For each order, how far it goes.
  let reasons: [String]

  private static let why = "No order explains it:"

  var description: String {
    """
    \(title)

    \(timeline)

    \(Self.why)
    \(reasons.joined(separator: "\n"))
    """
  }

  /// Makes the page.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - headline: The verdict.
  ///   - again: The way to run it again; empty if there is none.
  /// - Returns: The page.
  func page(of name: String, _ headline: String, again: String = "") -> ReportPage {
    ReportPage(
      of: name,
      headline,
      title,
      [.init("Time runs to the right, not to scale: calls whose bars overlap overlapped", svg: picture.svg)],
      notes: [Self.why] + reasons + picture.list,
      again: again
    )
  }
}
