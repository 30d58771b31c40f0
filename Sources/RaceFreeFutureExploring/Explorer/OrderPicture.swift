// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// An order that failed, beside one that passes, if one is known.
struct OrderPicture: Sendable {
  let name: String
  /// The verdict, and the failure.
  let texts: (verdict: String, failure: String)
  let failing: OrderDiagram
  let marksLast: Bool
  let passing: OrderDiagram?
  let legend: [String]
  /// How the order is run again.
  let again: String

  /// Draws it, with lines of the source; to look those up takes a tenth of a second.
  var page: ReportPage {
    let places = SourceLines.places(of: Set((failing.rows + (passing?.rows ?? [])).compactMap(\.address)))
    let failing = failing.with(places)
    var figures = [ReportPage.Figure("The order that fails", svg: failing.svg(marksLast: marksLast))]
    var notes = failing.notes(marksLast: marksLast)
    if let passing = passing?.with(places) {
      let same = zip(failing.rows, passing.rows).prefix { $0.shows($1) }.count
      figures.append(
        .init("The nearest order found that passes: it differs from step \(same) on", svg: passing.svg())
      )
      notes += passing.notes().filter { !notes.contains($0) }
    }
    return ReportPage(of: name, texts.verdict, texts.failure, figures, notes: notes + legend, again: again)
  }
}

extension OrderDiagram {
  /// Creates the drawing of an order that was recorded.
  init(of ended: Explorer.Ended, deciding: Int? = nil) {
    let run = ended.run
    var rows = run.recorder.rows
    // The row of each step.
    var places: [Int] = []
    for (place, row) in rows.enumerated() where row.end > places.count {
      places += Array(repeating: place, count: row.end - places.count)
    }
    for (step, makers) in ended.trail.makers.enumerated() where step < places.count {
      guard let maker = makers.first, places[maker] < places[step] else { continue }
      if rows[places[step]].maker == nil { rows[places[step]].maker = places[maker] }
    }
    self.init(titles: run.titles, actors: run.actorLines, rows: rows, style: .current)
    self.deciding = deciding.flatMap { $0 < places.count ? places[$0] : nil }
  }

  /// Returns the same with lines of the source.
  fileprivate func with(_ places: [UInt: String]) -> OrderDiagram {
    var diagram = self
    for index in rows.indices { diagram.rows[index].place = rows[index].address.flatMap { places[$0] } }
    return diagram
  }
}
