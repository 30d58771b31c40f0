// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

/// A first-in-first-out queue with one line wrong, or none.
final class FaultyQueue: Sendable {
  enum Fault: String, CaseIterable, Sendable {
    case none
    case addsAtTheFront, swapsTheLastTwo, losesTheThird, addsTwiceWhenEmpty
    case takesTheLast, skipsOne, keepsTheLastOne, givesTheLastOneTwice, looksThenTakes
    case copiesThenStores, addsLaterWhenOthersAre, handsOverAtTheNextCall, countsLater, clearsOneByOne

    static var wrong: [Fault] { allCases.filter { $0 != .none } }
  }

  private let fault: Fault
  private let items = Locked<[Int]>([])
  private let late = Locked<[Int]>([])
  private let counter = Atomic(0)
  private let adding = Atomic(0)

  init(_ fault: Fault) { self.fault = fault }

  func add(_ item: Int) {
    let others = adding.add(1, ordering: .acquiringAndReleasing).oldValue
    defer { adding.subtract(1, ordering: .acquiringAndReleasing) }
    switch fault {
    case .copiesThenStores:
      let copy = items.withLock { $0 } + [item]
      letOthersCome()
      items.withLock { $0 = copy }
    case .addsLaterWhenOthersAre where others > 0:
      late.withLock { $0.append(item) }
    case .handsOverAtTheNextCall:
      handOver()
      late.withLock { $0.append(item) }
    default:
      items.withLock { items in
        switch fault {
        case .addsAtTheFront: items.insert(item, at: 0)
        case .losesTheThird where items.count == 2: break
        case .addsTwiceWhenEmpty where items.isEmpty: items += [item, item]
        default: items.append(item)
        }
        if fault == .swapsTheLastTwo, items.count > 1 { items.swapAt(items.count - 1, items.count - 2) }
      }
    }
    if fault == .countsLater { letOthersCome() }
    counter.add(1, ordering: .acquiringAndReleasing)
  }

  func take() -> Int? {
    if fault == .looksThenTakes {
      guard let first = items.withLock(\.first) else { return nil }
      letOthersCome()
      items.withLock { if !$0.isEmpty { $0.removeFirst() } }
      return first
    }
    let item = items.withLock { items -> Int? in
      guard let first = items.first else { return nil }
      switch fault {
      case .takesTheLast: return items.removeLast()
      case .skipsOne where items.count > 1: return items.remove(at: 1)
      case .keepsTheLastOne where items.count == 1: return nil
      case .givesTheLastOneTwice where items.count == 1 && first > 0:
        items[0] = -first
        return first
      default:
        return abs(items.removeFirst())
      }
    }
    if item != nil { counter.subtract(1, ordering: .acquiringAndReleasing) }
    if fault == .handsOverAtTheNextCall || fault == .addsLaterWhenOthersAre { handOver() }
    return item
  }

  func clear() {
    if fault == .clearsOneByOne {
      for _ in 0..<items.withLock(\.count) {
        items.withLock { if !$0.isEmpty { $0.removeFirst() } }
        letOthersCome()
      }
    } else {
      items.withLock { $0 = [] }
      late.withLock { $0 = [] }
    }
    counter.store(0, ordering: .releasing)
  }

  var count: Int {
    fault == .countsLater ? counter.load(ordering: .acquiring) : items.withLock(\.count)
  }

  /// Takes some time in the middle of a call: else the searches for what is wrong would need many more histories.
  private func letOthersCome() {
    for _ in 0..<2_000 { _ = adding.load(ordering: .relaxed) }
  }

  private func handOver() {
    let more = late.withLock { late in
      defer { late = [] }
      return late
    }
    items.withLock { $0 += more }
  }
}
