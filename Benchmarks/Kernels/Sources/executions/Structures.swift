// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Locks that are made of atomics.
  static let structures: [Program] = [
    .init("data-structures/ttaslock", 4) { p, state, shared in
      for thread in 0..<2 {
        p.thread {
          try assume(state.load(.relaxed) == 0)
          try assume(state.exchange(1, .acquiring) == 0)
          shared.store(thread, .relaxed)
          shared.load(.relaxed)
          state.store(0, .releasing)
        }
      }
    },
    .init("data-structures/ttaslock-opt", 2) { p, state, shared in
      for thread in 0..<2 {
        p.thread {
          try assume(state.exchange(1, .acquiring) == 0)
          shared.store(thread, .relaxed)
          shared.load(.relaxed)
          state.store(0, .releasing)
        }
      }
    },
    .init("data-structures/ticketlock", 2) { p, next, owner, shared in
      for thread in 0..<2 {
        p.thread {
          let ticket = next.add(1, .relaxed)
          try assume(owner.load(.acquiring) == ticket)
          shared.store(thread, .relaxed)
          shared.load(.relaxed)
          owner.store(owner.load(.relaxed) + 1, .releasing)
        }
      }
    },
    .init("data-structures/seqlock-atomic", 2) { p, sequence, shared in
      let lock = p.lock()
      p.thread {
        let before = sequence.load(.relaxed)
        try assume(before & 1 == 0)
        p.fence(.acquiringAndReleasing)
        shared.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        try assume(sequence.load() == before)
      }
      p.thread {
        lock.withLock {
          sequence.store(sequence.load(.relaxed) + 1, .relaxed)
          p.fence(.acquiringAndReleasing)
          shared.store(42, .relaxed)
          p.fence(.acquiringAndReleasing)
          sequence.store(sequence.load(.relaxed) + 1, .relaxed)
        }
      }
    },
    .init("data-structures/linuxrwlocks", 14) { p, shared in
      let bias = 0x10_0000
      let lock = p.place(bias)
      for _ in 0..<2 {
        p.thread {
          // Who finds it taken gives back what it took, and waits: as if it had not tried.
          try assume(lock.add(-1, .acquiring) > 0)
          shared.load(.relaxed)
          lock.add(1, .releasing)
          try assume(lock.add(-bias, .acquiring) == bias)
          shared.store(1, .relaxed)
          lock.add(bias, .releasing)
        }
      }
    },
  ]
}
