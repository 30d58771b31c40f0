// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The calls that a search has placed in its order so far.
///
/// Calls are numbered by the time at which they began, and placed roughly in this order. So two moments of a search
/// differ in a few words after the first that isn't full: only those are part of the key of its cache, which stays
/// small for a history of any length.
struct PlacedCalls {
  /// A set of placed calls, to be remembered.
  struct Key: Hashable {
    fileprivate let base: Int
    fileprivate let first: UInt64
    fileprivate let rest: [UInt64]
  }

  private var words: [UInt64]
  /// The first word that isn't full; the last one never is.
  private var base = 0
  /// The last word that isn't empty, if it is after `base`.
  private var top = 0

  init(count: Int) { words = Array(repeating: 0, count: count / 64 + 1) }

  mutating func insert(_ call: Int) {
    words[call / 64] |= 1 << UInt64(call % 64)
    while words[base] == .max { base += 1 }
    top = max(top, base, call / 64)
  }

  mutating func remove(_ call: Int) {
    words[call / 64] &= ~(1 << UInt64(call % 64))
    base = min(base, call / 64)
    while top > base, words[top] == 0 { top -= 1 }
  }

  func contains(_ call: Int) -> Bool { words[call / 64] & (1 << UInt64(call % 64)) != 0 }

  var key: Key { Key(base: base, first: words[base], rest: top > base ? Array(words[(base + 1)...top]) : []) }
}
