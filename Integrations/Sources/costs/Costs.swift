// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Measures what each recipe costs beside the package without it.
@main
enum Costs {
  static func main() async throws {
    print("| work | bare | with the recipe | difference |")
    print("| --- | ---: | ---: | ---: |")
    try await measureObservers()
    try await measureNIO()
    try await measureGRDB()
    try await measureHTTP()
    try await measureGRPC()
  }

  /// Runs both sides in turn, and prints the medians of 21 runs as a row of the table.
  ///
  /// - Parameters:
  ///   - name: The work.
  ///   - count: How often a side does the work in one run.
  ///   - bare: Does the work once, without the recipe.
  ///   - recipe: Does it with the recipe.
  /// - Throws: The error of one of the sides.
  static func compare(
    _ name: String,
    times count: Int,
    bare: () async throws -> Void,
    recipe: () async throws -> Void
  ) async throws {
    func interval(_ side: () async throws -> Void) async throws -> Duration {
      let begin = ContinuousClock.now
      for _ in 0..<count { try await side() }
      return begin.duration(to: .now) / count
    }
    // The first pair is to warm up.
    var pairs: [(bare: Duration, recipe: Duration)] = []
    for _ in 0...21 { pairs.append((try await interval(bare), try await interval(recipe))) }
    pairs.removeFirst()
    let (bare, recipe) = (median(pairs.map(\.bare)), median(pairs.map(\.recipe)))
    let difference = median(pairs.map { $0.recipe - $0.bare })
    print("| \(name) | \(text(bare)) | \(text(recipe)) | \(text(difference)) |")
  }

  private static func median(_ intervals: [Duration]) -> Duration { intervals.sorted()[intervals.count / 2] }

  private static func text(_ interval: Duration) -> String {
    let hundredths = Int((interval / .microseconds(0.01)).rounded())
    let magnitude = hundredths.magnitude
    return "\(hundredths < 0 ? "-" : "")\(magnitude / 100).\("\(magnitude % 100 + 100)".dropFirst()) µs"
  }
}
