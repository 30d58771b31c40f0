// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring

/// Does one piece of each operation beside 10, 100, 1,000, … others, for `Scripts/growth.sh`, which counts the
/// instructions.
///
/// Its arguments are the most others, and the name of a row or words that are in the names of some. Prints one line a
/// count, in order: the row, the number of others, the number of pieces, and why it may grow; with 0, only the rows.
@main
struct Growth {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let largest = arguments.first.flatMap { Int($0) } ?? 10_000
    let filter = arguments.dropFirst().first ?? ""
    let rows: [Row] = futureRows + deadlineRows + valueRows + scopeRows
    let named = rows.filter { $0.name == filter }
    for row in named.isEmpty ? rows.filter({ filter.isEmpty || $0.name.contains(filter) }) : named {
      if largest == 0 {
        print(row.name)
        continue
      }
      // What is made once, such as types at run time.
      row.run(10, Counter(row, isCounting: false))
      var size = 10
      var last = Int64.max
      while size <= largest {
        let start = thread_time()
        row.run(size, Counter(row))
        let time = thread_time() - start
        // It has been seen to grow, and the next run would take a hundred times as long.
        if time > 3_000_000_000 || time > 100_000_000 && time / 30 > last { break }
        last = time
        size *= 10
      }
    }
  }
}

/// An operation that is done beside more and more others.
struct Row: Sendable {
  let name: String
  /// Why it may grow; nil if it has to be level.
  let reason: String?
  let run: @Sendable (_ size: Int, _ counter: Counter) -> Void

  init(
    _ name: String,
    grows reason: String? = nil,
    _ run: @escaping @Sendable (_ size: Int, _ counter: Counter) -> Void
  ) {
    self.name = name
    self.reason = reason
    self.run = run
  }
}

/// Counts one part of a run, and prints how many pieces that had.
final class Counter {
  private let row: Row
  private let isCounting: Bool

  init(_ row: Row, isCounting: Bool = true) {
    self.row = row
    self.isCounting = isCounting
  }

  /// Counts the body, which has so many pieces.
  func count(_ size: Int, pieces: Int, after warmUp: () -> Void = {}, _ body: () -> Void) {
    guard isCounting else { return body() }
    settle_allocator()
    // Callgrind adds some percent of what the same code has taken before to the next count: that is this one.
    begin_counting()
    warmUp()
    end_counting()
    begin_counting()
    body()
    end_counting()
    print(row.name, size, pieces, row.reason ?? "", separator: "\t")
  }

  /// Counts an operation that is done a hundred times, or less if it grows, when it has been done as often.
  func countEach(_ size: Int, _ operation: () -> Void) {
    let pieces = row.reason == nil ? 100 : 3
    let operations = { for _ in 0..<pieces { operation() } }
    count(size, pieces: pieces, after: operations, operations)
  }

  /// Counts work on so many objects, done as often as it takes to have a thousand.
  func countAll(_ size: Int, _ work: () -> Void) {
    let times = max(1, 1000 / size)
    count(size, pieces: size * times) { for _ in 0..<times { work() } }
  }
}

/// Runs a task on this thread until it is suspended.
func runTask(_ body: @escaping @Sendable () async -> Void) {
  keep_tasks(true)
  Task.detached { await body() }
  run_tasks()
}
