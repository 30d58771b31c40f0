// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

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

  /// The same with the lines of the source.
  fileprivate var withPlaces: OrderDiagram {
    let places = SourceLines.places(of: Set(rows.compactMap(\.address)))
    var diagram = self
    for index in rows.indices { diagram.rows[index].place = rows[index].address.flatMap { places[$0] } }
    return diagram
  }
}

extension Explorer {
  /// Returns the picture of an order that failed, beside that of one that passes, if one is known.
  func page(
    _ texts: [String],
    _ diagram: OrderDiagram,
    marksLast: Bool,
    passing: [Int]?,
    _ legend: [String],
    again: String
  ) -> ReportPage {
    let diagram = diagram.withPlaces
    var figures = [ReportPage.Figure("The order that fails", svg: diagram.svg(marksLast: marksLast))]
    var notes = diagram.notes(marksLast: marksLast)
    // Run once more to draw it, as the one that fails was.
    if let passing, case let ended = replay(passing), ended.failure == nil {
      let other = OrderDiagram(of: ended).withPlaces
      let same = zip(diagram.rows, other.rows).prefix { $0.shows($1) }.count
      figures.append(.init("The nearest order found that passes: it differs from step \(same) on", svg: other.svg()))
      notes += other.notes().filter { !notes.contains($0) }
    }
    return ReportPage(of: name, texts[0], texts[1], figures, notes: notes + legend, again: again)
  }
}
