// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import Testing

@testable import RaceFreeFutureExploring

/// Programs with which the literature measures the reduction of orders, with the least number that shows everything.
struct ClassicProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// The number of its orders of which no two can be told apart.
  let least: Int
  let scenario: @Sendable (Scenario) throws -> Void

  var testDescription: String { name }

  static let all: [Self] = [
    readers(2), readers(4), readers(8), lastZero(3), lastZero(5), indexer(11), indexer(12), fileSystem(6),
    ownLocks(4, uses: 4), ownLocks(5, uses: 3),
  ]

  /// One writer and some readers of the same place: each reads before the write, or after it.
  ///
  /// (Abdulla, Aronis, Jonsson and Sagonas, 2014.)
  static func readers(_ count: Int) -> Self {
    Self(name: "readers(\(count))", least: 1 << count) { scenario in
      let place = Shared(Explored.Atomic(0))
      scenario.thread("writer") { place.value.store(42, ordering: .sequentiallyConsistent) }
      for number in 1...count {
        scenario.thread("reader \(number)") { _ = place.value.load(ordering: .sequentiallyConsistent) }
      }
    }
  }

  /// Each of some threads counts one place up from the one before, while another one searches for the last zero.
  ///
  /// (Abdulla, Aronis, Jonsson and Sagonas, 2014.)
  static func lastZero(_ count: Int) -> Self {
    Self(name: "lastZero(\(count))", least: [3: 12, 5: 64][count] ?? 0) { scenario in
      let places = (0...count).map { _ in Shared(Explored.Atomic(0)) }
      scenario.thread("search") {
        var index = count
        while places[index].value.load(ordering: .sequentiallyConsistent) != 0 { index -= 1 }
      }
      for index in 1...count {
        scenario.thread("count \(index)") {
          let before = places[index - 1].value.load(ordering: .sequentiallyConsistent)
          places[index].value.store(before + 1, ordering: .sequentiallyConsistent)
        }
      }
    }
  }

  /// Threads that insert into a hash table; up to 11 of them never meet, and 12 have three pairs that do.
  ///
  /// (Flanagan and Godefroid, 2005.)
  static func indexer(_ count: Int) -> Self {
    let (size, most) = (128, 4)
    return Self(name: "indexer(\(count))", least: count <= 11 ? 1 : 8) { scenario in
      let table = (0..<size).map { _ in Shared(Explored.Atomic(0)) }
      for thread in 0..<count {
        scenario.thread("thread \(thread)") {
          for message in 1...most {
            let word = message * 11 + thread
            var place = word * 7 % size
            while !table[place].value
              .compareExchange(expected: 0, desired: word, ordering: .sequentiallyConsistent).exchanged
            { place = (place + 1) % size }
          }
        }
      }
    }
  }

  /// Threads that each allocate a block of a disk for a file of their own, under locks.
  ///
  /// (Flanagan and Godefroid, 2005.)
  static func fileSystem(_ count: Int) -> Self {
    let (files, blocks) = (32, 26)
    return Self(name: "fileSystem(\(count))", least: 1) { scenario in
      let fileLocks = (0..<files).map { _ in Shared(Explored.Mutex(0)) }
      let blockLocks = (0..<blocks).map { _ in Shared(Explored.Mutex(false)) }
      for thread in 0..<count {
        scenario.thread("thread \(thread)") {
          let file = thread % files
          fileLocks[file].value.withLock { inode in
            guard inode == 0 else { return }
            var block = file * 2 % blocks
            while inode == 0 {
              let isMine = blockLocks[block].value.withLock { isBusy in
                defer { isBusy = true }
                return !isBusy
              }
              if isMine { inode = block + 1 } else { block = (block + 1) % blocks }
            }
          }
        }
      }
    }
  }

  /// Threads that use a lock of their own, again and again.
  static func ownLocks(_ count: Int, uses: Int) -> Self {
    Self(name: "ownLocks(\(count) × \(uses))", least: 1) { scenario in
      for thread in 0..<count {
        scenario.thread("thread \(thread)") {
          let lock = Explored.Mutex(0)
          for _ in 0..<uses { lock.withLock { $0 += 1 } }
        }
      }
    }
  }
}

/// A value that can't be copied, shared by threads.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
