// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// A curve drawn as SVG, both axes logarithmic, in the colors of a light or a dark page.
struct Plot {
  private let curve: Curve
  private let points: [Curve.Point]
  private let horizontal: Axis
  private let vertical: Axis

  private static let width = 760.0
  private static let height = 400.0
  private static let left = 76.0
  private static let right = 536.0
  private static let top = 52.0
  private static let bottom = 336.0

  /// One direction of the picture.
  private struct Axis {
    let lower: Double
    let upper: Double
    let start: Double
    let end: Double

    func position(_ value: Double) -> Double {
      start + (end - start) * (log10(value) - log10(lower)) / (log10(upper) - log10(lower))
    }

    /// What has a line in the grid: 1, 2 and 5 of each decade, or powers of ten alone.
    func ticks(powersOnly: Bool) -> [Double] {
      var ticks: [Double] = []
      var power = pow(10, floor(log10(lower) + 1e-9))
      while power <= upper * 1.001 {
        ticks += (powersOnly ? [1] : [1, 2, 5]).map { $0 * power }
        power *= 10
      }
      return ticks.filter { $0 >= lower * 0.999 && $0 <= upper * 1.001 }
    }
  }

  init(_ curve: Curve, _ points: [Curve.Point]) {
    self.curve = curve
    self.points = points
    let numbers = points.map { Double($0.number) }
    horizontal = Axis(lower: 1, upper: max(numbers.max() ?? 10, 10), start: Plot.left, end: Plot.right)
    let costs = points.flatMap { [$0.ours, $0.peer] }
    // Whole decades, and two at least, so that what is flat looks flat.
    let lower = pow(10, floor(log10(costs.min() ?? 1)))
    let upper = max(pow(10, ceil(log10(costs.max() ?? 1))), lower * 100)
    vertical = Axis(lower: lower, upper: upper, start: Plot.bottom, end: Plot.top)
  }

  var svg: String {
    let parts = [head, grid, line(\.ours, "ours"), line(\.peer, "peer"), labels, "</svg>"]
    return parts.joined(separator: "\n") + "\n"
  }

  private var head: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Plot.width)) \(Int(Plot.height))" role="img">
    <title>\(curve.title)</title>
    <desc>\(description)</desc>
    <style>
    text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #424a53 }
    .title { font-size: 17px; font-weight: 600; fill: #1f2328 }
    .page { fill: #ffffff }
    .grid { stroke: #d8dee4; stroke-width: 1 }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
    .line.ours { stroke: #0550ae }
    .line.peer { stroke: #bc4c00; stroke-dasharray: 7 4 }
    .dot.ours, text.ours { fill: #0550ae }
    .dot.peer, text.peer { fill: #bc4c00 }
    @media (prefers-color-scheme: dark) {
    text { fill: #b1bac4 }
    .title { fill: #f0f6fc }
    .page { fill: #0d1117 }
    .grid { stroke: #30363d }
    .line.ours { stroke: #79c0ff }
    .line.peer { stroke: #ffa657 }
    .dot.ours, text.ours { fill: #79c0ff }
    .dot.peer, text.peer { fill: #ffa657 }
    }
    </style>
    <rect class="page" width="100%" height="100%" rx="6"/>
    <text class="title" x="20" y="30">\(curve.title)</text>
    """
  }

  /// For those who can't see it.
  private var description: String {
    guard let first = points.first, let last = points.last else { return "" }
    return """
      From \(grouped(first.number)) to \(grouped(last.number)): RaceFreeFuture \(time(first.ours)) to \(time(last.ours)), \
      \(curve.peer) \(time(first.peer)) to \(time(last.peer)).
      """
  }

  private var grid: String {
    var lines: [String] = []
    for value in vertical.ticks(powersOnly: vertical.upper / vertical.lower > 1001) {
      let y = vertical.position(value)
      lines.append(#"<path class="grid" d="M\#(place(Plot.left)) \#(place(y))H\#(place(Plot.right))"/>"#)
      lines.append(
        #"<text x="\#(place(Plot.left - 8))" y="\#(place(y + 5))" text-anchor="end">\#(time(value))</text>"#
      )
    }
    for value in horizontal.ticks(powersOnly: true) {
      let x = horizontal.position(value)
      lines.append(#"<path class="grid" d="M\#(place(x)) \#(place(Plot.top))V\#(place(Plot.bottom))"/>"#)
      lines.append(
        #"<text x="\#(place(x))" y="\#(place(Plot.bottom + 21))" text-anchor="middle">\#(grouped(Int(value.rounded())))</text>"#
      )
    }
    let middle = (Plot.left + Plot.right) / 2
    lines.append(
      #"<text x="\#(place(middle))" y="\#(place(Plot.bottom + 48))" text-anchor="middle">n: \#(curve.axis)</text>"#
    )
    return lines.joined(separator: "\n")
  }

  private func line(_ cost: KeyPath<Curve.Point, Double>, _ side: String) -> String {
    let places = points.map { point in
      (x: place(horizontal.position(Double(point.number))), y: place(vertical.position(point[keyPath: cost])))
    }
    let path = places.map { "\($0.x) \($0.y)" }.joined(separator: "L")
    let dots = places.map { #"<circle class="dot \#(side)" cx="\#($0.x)" cy="\#($0.y)" r="3"/>"# }
    return #"<path class="line \#(side)" d="M\#(path)"/>"# + "\n" + dots.joined(separator: "\n")
  }

  /// The names at the right ends of the lines, far enough from each other.
  private var labels: String {
    guard let last = points.last else { return "" }
    var ours = vertical.position(last.ours)
    var peer = vertical.position(last.peer)
    let missing = 20 - abs(ours - peer)
    if missing > 0 {
      let sign = ours < peer ? 1.0 : -1.0
      ours -= sign * missing / 2
      peer += sign * missing / 2
    }
    return [("ours", "RaceFreeFuture", ours), ("peer", curve.peer, peer)]
      .map { #"<text class="\#($0.0)" x="\#(place(Plot.right + 12))" y="\#(place($0.2 + 5))">\#($0.1)</text>"# }
      .joined(separator: "\n")
  }

  /// One decimal is enough for the eye, and keeps the files small.
  private func place(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<999.5: nanoseconds < 9.95 ? "\(place(nanoseconds)) ns" : "\(Int(nanoseconds.rounded())) ns"
    case ..<999_500: "\(place(nanoseconds / 1000)) µs"
    default: "\(place(nanoseconds / 1_000_000)) ms"
    }
  }

  private func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(grouped(number / 1000)),\(String(String(1000 + number % 1000).dropFirst()))"
  }
}
