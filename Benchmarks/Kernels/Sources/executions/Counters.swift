// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Threads that all do the same to a few places.
  static let counters = joined(
    family("synthetic/ainc", [2, 3, 4, 5, 6, 7], [2, 6, 24, 120, 720, 5_040]) { count, p in
      let x = p.place()
      for _ in 0..<count { p.thread { x.add(1, .relaxed) } }
    },
    family("synthetic/lockinc", [2, 3, 4, 5, 6, 7], [2, 6, 24, 120, 720, 5_040]) { count, p in
      let (x, lock) = (p.place(), p.lock())
      for _ in 0..<count {
        p.thread { lock.withLock { x.store(x.load(.relaxed) + 1, .relaxed) } }
      }
    },
    family("synthetic/lock2inc", [2, 3, 4, 5, 6, 7], [2, 6, 24, 120, 720, 5_040]) { count, p in
      let (x, y, lock) = (p.place(), p.place(), p.lock())
      for _ in 0..<count {
        p.thread {
          lock.withLock {
            x.store(x.load(.relaxed) + 1, .relaxed)
            y.store(y.load(.relaxed) + 1, .relaxed)
          }
        }
      }
    },
    family("synthetic/binc", [2, 3, 4], [4, 36, 576]) { count, p in
      let (x, y) = (p.place(), p.place())
      for _ in 0..<count {
        p.thread {
          x.add(1, .relaxed)
          y.add(1, .relaxed)
        }
      }
    },
    family("synthetic/cinc", [2, 3, 4], [8, 216, 13_824]) { count, p in
      let (x, y, z) = (p.place(), p.place(), p.place())
      for _ in 0..<count {
        p.thread {
          x.add(1, .relaxed)
          y.add(1, .relaxed)
          z.add(1, .relaxed)
        }
      }
    },
    family("synthetic/inc", [2, 3, 4], [4, 36, 576]) { count, p in
      let x = p.place()
      for bit in 0..<count { p.thread { x.store(x.load(.relaxed) + 1 << bit, .releasing) } }
    },
    family("synthetic/rw", [2, 3, 4], [4, 36, 576]) { count, p in
      let x = p.place()
      for value in 0..<count {
        p.thread {
          x.load(.relaxed)
          x.store(value, .releasing)
        }
      }
    },
    family("synthetic/rinc", [2], [2]) { count, p in
      let x = p.place()
      for _ in 0..<count { p.thread { x.add(1, .relaxed) } }
    },
    family("synthetic/wainc", [2, 3, 4], [6, 24, 120]) { count, p in
      let x = p.place()
      p.thread { x.store(42, .releasing) }
      for _ in 0..<count { p.thread { x.add(1, .relaxed) } }
    },
    family("synthetic/cas", [2, 3, 4, 5], [2, 3, 4, 5]) { count, p in
      let x = p.word()
      for value in 1...count { p.thread { x.replace(0, by: value, .relaxed) } }
    },
    // Each goes on from the value of the one before.
    family("synthetic/casrot", Array(2...9), [2, 5, 14, 43, 144, 523, 2_048, 8_597]) { count, p in
      let x = p.word()
      for value in 1...count { p.thread { x.replace(value - 1, by: value, .relaxed) } }
    },
    family("synthetic/casw", [2, 3, 4, 5], [6, 66, 1_200, 32_880]) { count, p in
      let x = p.word()
      for value in 0..<count {
        p.thread {
          x.replace(0, by: 1, .relaxed)
          x.store(value + 3, .releasing)
        }
      }
    },
    family("synthetic/wcas", Array(2...9), [5, 13, 33, 81, 193, 449, 1_025, 2_305]) { count, p in
      let x = p.word()
      p.thread { x.store(2, .releasing) }
      for _ in 0..<count { p.thread { x.replace(2, by: 3, .relaxed) } }
    }
  )
}
