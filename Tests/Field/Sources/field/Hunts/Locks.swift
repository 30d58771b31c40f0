// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import NIOConcurrencyHelpers
import RaceFreeFutureTesting
import Synchronization

extension Hunt {
  static let locks = [
    Hunt(
      name: "mutex.box",
      package: "standard library",
      type: "`Mutex`",
      property: "A box office under it sells one ticket after the other",
      tool: "linearizabilityStress"
    ) { await sold("Mutex", make: { MutexBox() }) },
    Hunt(
      name: "mutex.try",
      package: "standard library",
      type: "`Mutex.withLockIfAvailable`",
      property: "Two threads are never inside at once",
      tool: "race"
    ) {
      Catch(
        await race(
          "withLockIfAvailable against withLock",
          make: { MutexBox() },
          actors: { box in
            box.value.withLockIfAvailable {
              $0 += 1; return $0
            } ?? 0
          },
          { box in
            box.value.withLock {
              $0 += 1; return $0
            }
          },
          outcome: { box, first, _ in box.value.withLock { $0 } - (first == 0 ? 0 : 1) },
          expect: [.acceptable(3, "each increment counts")]
        )
      )
    },
    Hunt(
      name: "atomic.pair",
      package: "standard library",
      type: "`Atomic<WordPair>`",
      property: "A pair is stored, read and exchanged as a whole",
      tool: "linearizabilityStress"
    ) {
      Catch(
        await linearizabilityStress(
          "Atomic<WordPair>",
          make: { PairBox() },
          model: [UInt(0), 0],
          operations: [
            .init("store(1, 1)", { $0.store(1) }, model: { $0 = [1, 1] }),
            .init("store(2, 2)", { $0.store(2) }, model: { $0 = [2, 2] }),
            .init("load()", { $0.load() }, model: { $0 }),
            .init(
              "exchange(1, 1 by 3, 3)",
              { $0.exchange() },
              model: { pair in
                guard pair == [1, 1] else { return false }
                pair = [3, 3]
                return true
              }
            ),
          ]
        )
      )
    },
    Hunt(
      name: "nio.locked-box",
      package: "swift-nio",
      type: "`NIOLockedValueBox`",
      property: "A box office under it sells one ticket after the other",
      tool: "linearizabilityStress"
    ) { await sold("NIOLockedValueBox", make: { NIOBox() }) },
    Hunt(
      name: "foundation.lock",
      package: "Foundation",
      type: "`NSLock`",
      property: "A box office under it sells one ticket after the other",
      tool: "linearizabilityStress"
    ) { await sold("NSLock", make: { NSLockBox() }) },
    Hunt(
      name: "foundation.condition",
      package: "Foundation",
      type: "`NSCondition`",
      property: "A thread that waits for a change is woken by it",
      tool: "race"
    ) {
      Catch(
        await race(
          "wait against signal",
          .init(for: .seconds(5)),
          make: { ConditionBox() },
          actors: { $0.wait() },
          { $0.change() },
          outcome: { box, wasWoken, _ in wasWoken },
          expect: [.acceptable(true), .forbidden(false, "it slept past the change")]
        )
      )
    },
    Hunt(
      name: "foundation.cache",
      package: "Foundation",
      type: "`NSCache`",
      property: "Its calls behave as those of a dictionary",
      tool: "linearizabilityStress"
    ) {
      Catch(
        await linearizabilityStress(
          "NSCache",
          make: { CacheBox() },
          model: 0,
          operations: [
            .init("set(1)", { $0.set(1) }, model: { $0 = 1 }),
            .init("set(2)", { $0.set(2) }, model: { $0 = 2 }),
            .init("remove()", { $0.remove() }, model: { $0 = 0 }),
            .init("get()", { $0.get() }, model: { $0 }),
          ]
        )
      )
    },
  ]
}

/// A number under a lock.
protocol NumberBox: Sendable {
  func with<Result: Sendable>(_ body: (inout Int) -> Result) -> Result
}

/// Sells tickets, of which there are two, under the lock of the box.
private func sold<Box: NumberBox>(_ name: String, make: @escaping @Sendable () -> Box) async -> Catch {
  Catch(
    await linearizabilityStress(
      name,
      make: make,
      model: 2,
      operations: [1, 2].map { count in
        .init("buy(\(count))", { $0.with { buy(count, from: &$0) } }, model: { buy(count, from: &$0) })
      } + [
        .init("giveBack(1)", { $0.with { $0 += 1 } }, model: { $0 += 1 }),
        .init("remaining", { $0.with { $0 } }, model: { $0 }),
      ]
    )
  )
}

@Sendable private func buy(_ count: Int, from left: inout Int) -> Bool {
  guard left >= count else { return false }
  left -= count
  return true
}

private final class MutexBox: NumberBox {
  let value = Mutex(2)
  func with<Result: Sendable>(_ body: (inout Int) -> Result) -> Result { value.withLock { body(&$0) } }
}

private final class NIOBox: NumberBox {
  let value = NIOLockedValueBox(2)
  func with<Result: Sendable>(_ body: (inout Int) -> Result) -> Result { value.withLockedValue { body(&$0) } }
}

/// `number` is used under `lock` only.
private final class NSLockBox: NumberBox, @unchecked Sendable {
  private let lock = NSLock()
  private var number = 2
  func with<Result: Sendable>(_ body: (inout Int) -> Result) -> Result { lock.withLock { body(&number) } }
}

/// `isChanged` is used under the condition's lock only.
private final class ConditionBox: @unchecked Sendable {
  private let condition = NSCondition()
  private var isChanged = false

  func wait() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: 5)
    while !isChanged { if !condition.wait(until: end) { return false } }
    return true
  }

  func change() {
    condition.lock()
    isChanged = true
    condition.signal()
    condition.unlock()
  }
}

/// Sequentially consistent, since the tool's model has one order of all calls.
private final class PairBox: Sendable {
  private let pair = Atomic(WordPair(first: 0, second: 0))
  func store(_ number: UInt) { pair.store(WordPair(first: number, second: number), ordering: .sequentiallyConsistent) }
  func load() -> [UInt] {
    let pair = pair.load(ordering: .sequentiallyConsistent)
    return [pair.first, pair.second]
  }
  func exchange() -> Bool {
    pair.compareExchange(
      expected: WordPair(first: 1, second: 1),
      desired: WordPair(first: 3, second: 3),
      ordering: .sequentiallyConsistent
    ).exchanged
  }
}

/// A cache is documented to be safe to use from several threads; its type doesn't say so.
private final class CacheBox: @unchecked Sendable {
  private let cache = NSCache<NSString, NSNumber>()
  func set(_ number: Int) { cache.setObject(NSNumber(value: number), forKey: "key") }
  func remove() { cache.removeObject(forKey: "key") }
  func get() -> Int { cache.object(forKey: "key")?.intValue ?? 0 }
}
