// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The begins and ends of calls in the order of time, as a list from which a call can be removed and put back.
///
/// The first end in the list limits the calls that can be next: calls that begin after it are later than the one that
/// ends there. Removing and putting back take constant time, and have to be nested like pushing and popping of a stack.
struct CallList {
  enum Entry: Equatable {
    case begin(Int)
    case end(Int)
    case nothing
  }

  private let count: Int
  private let hasEnd: [Bool]
  // Begin of call n: n. End of call n: count + n. The ring is closed by 2 * count.
  private var next: [Int]
  private var previous: [Int]

  init(begun: [UInt64], ended: [UInt64?]) {
    count = begun.count
    hasEnd = ended.map { $0 != nil }
    next = Array(repeating: 2 * begun.count, count: 2 * begun.count + 1)
    previous = next
    let count = count
    // At the same time begins come before ends: such calls overlap.
    var events = begun.indices.map { (time: begun[$0], node: $0) }
    for (call, time) in ended.enumerated() { if let time { events.append((time, count + call)) } }
    events.sort { $0.time != $1.time ? $0.time < $1.time : $0.node < $1.node }
    var last = 2 * count
    for (_, node) in events {
      next[last] = node
      previous[node] = last
      last = node
    }
    next[last] = 2 * count
    previous[2 * count] = last
  }

  var first: Entry { entry(next[2 * count]) }

  /// Returns the entry after the begin of a call.
  func entry(after call: Int) -> Entry { entry(next[call]) }

  mutating func lift(_ call: Int) {
    unlink(call)
    if hasEnd[call] { unlink(count + call) }
  }

  mutating func putBack(_ call: Int) {
    if hasEnd[call] { relink(count + call) }
    relink(call)
  }

  private func entry(_ node: Int) -> Entry {
    node < count ? .begin(node) : node < 2 * count ? .end(node - count) : .nothing
  }

  private mutating func unlink(_ node: Int) {
    next[previous[node]] = next[node]
    previous[next[node]] = previous[node]
  }

  private mutating func relink(_ node: Int) {
    next[previous[node]] = node
    previous[next[node]] = node
  }
}
