// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures what each recipe costs beside the package without it.
@main
enum Costs {
  static func main() async throws { try await measureAll() }

  /// Not on the main thread, to which each wait of one side would have to return, but not those in tasks of the other.
  @concurrent
  private static func measureAll() async throws {
    print("| work, without and with the recipe | without | with | ratio | half of the ratios |")
    print("| --- | ---: | ---: | ---: | ---: |")
    try await measureGRPC()
    try await measureHTTP()
    try await measureHeader()
    try await measureServices()
    try await measureObservers()
    try await measureGRDB()
    try await measureProcesses()
    try await measureNIO()
    try await measureOpenCombine()
    try await measureFlyingFox()
  }

  /// Runs both sides in turn, and prints the medians of 21 pairs of runs as a row of the table.
  ///
  /// The times are those of the processor, for all threads of this process: waiting doesn't count, nor what else runs on
  /// the machine, nor a child. What disturbs the machine for longer than a run disturbs both sides of a pair, so the ratio
  /// is the median of those of the pairs. Every other pair begins with the recipe.
  ///
  /// - Parameters:
  ///   - name: The work.
  ///   - count: How often a side does the work in one run.
  ///   - prepare: Called before each run, with true if that is the recipe's.
  ///   - bare: Does the work once, without the recipe.
  ///   - recipe: Does it with the recipe.
  /// - Throws: The error of one of the sides.
  static func compare(
    _ name: String,
    times count: Int,
    prepare: (Bool) -> Void = { _ in },
    bare: () async throws -> Void,
    recipe: () async throws -> Void
  ) async throws {
    func interval(_ isRecipe: Bool) async throws -> Duration {
      prepare(isRecipe)
      let begin = processorTime
      if isRecipe {
        for _ in 0..<count { try await recipe() }
      } else {
        for _ in 0..<count { try await bare() }
      }
      return (processorTime - begin) / count
    }
    // The first pair is to warm up.
    var (without, with): ([Duration], [Duration]) = ([], [])
    for number in 0...21 {
      let isLast = number.isMultiple(of: 2)
      let first = try await interval(!isLast)
      let second = try await interval(isLast)
      if number == 0 { continue }
      without.append(isLast ? first : second)
      with.append(isLast ? second : first)
    }
    prepare(false)
    let ratios = zip(with, without).map { $0 / $1 }.sorted()
    let ratio = (ratios[ratios.count / 2], ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
    print(
      "| \(name) | \(text(median(without))) | \(text(median(with))) "
        + "| \(text(ratio.0)) | \(text(ratio.1)) … \(text(ratio.2)) |"
    )
  }

  /// What all threads of this process have used.
  private static var processorTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func median(_ intervals: [Duration]) -> Duration { intervals.sorted()[intervals.count / 2] }

  private static func text(_ interval: Duration) -> String {
    let microseconds = interval / .microseconds(1)
    return microseconds < 100 ? "\(text(microseconds)) µs" : "\(Int(microseconds.rounded())) µs"
  }

  /// A number with two decimal places.
  private static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\("\(hundredths % 100 + 100)".dropFirst())"
  }
}
