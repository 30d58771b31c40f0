// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Algorithms for mutual exclusion, and others that wait for each other.
  static let algorithms = joined(
    [
      .init("synthetic/peterson", 22, 4) { peterson($0, .acquiring, .releasing) },
      .init("synthetic/peterson-sc", 4) { peterson($0, .sequentiallyConsistent, .sequentiallyConsistent) },
      .init("synthetic/dekker_f", 3) { p, x, y, c in
        for (own, other, value) in [(y, x, 1), (x, y, 0)] {
          p.thread {
            own.store(1, .relaxed)
            p.fence()
            if other.load(.relaxed) == 0 {
              c.store(value, .relaxed)
              c.load(.relaxed)
            }
          }
        }
      },
      .init("synthetic/lamport", 16) { p, x, y in
        let wants = p.places(3)
        for thread in 1...2 {
          p.thread {
            try lamportLock(thread, wants, x, y)
            y.store(0)
            wants[thread].store(0)
          }
        }
      },
      .init("synthetic/szymanski", 6) { p, x in
        let flags = p.places(2)
        for thread in 0..<2 {
          p.thread { try szymanski(own: flags[thread], other: flags[1 - thread], x, thread, p) }
        }
      },
      .init("synthetic/commits", 1_734) { p, x in
        let count = p.place(2)
        for thread in 1...2 {
          p.thread {
            var (committed, tries) = (0, 0)
            while committed < count.load(.acquiring) {
              // So many rounds are counted.
              try assume(tries < 6)
              tries += 1
              x.store(thread, .releasing)
              if x.load(.acquiring) == thread { committed += 1 }
            }
          }
        }
      }
      .finds(1_258, .rounds).finds(1_258, .rounds, .sc),
      .init("synthetic/hwqueue-ra", 5_483, 5_155) { p, back in
        let slots = p.places(5)
        func enqueue(_ value: Int) { slots[back.add(1, .acquiringAndReleasing)].store(value, .releasing) }
        func dequeue() throws {
          let end = back.load(.acquiring)
          var index = 0
          repeat {
            try assume(index < end)
            index += 1
          } while slots[index - 1].exchange(0, .acquiringAndReleasing) == 0
        }
        p.thread {
          enqueue(1)
          try dequeue()
        }
        p.thread {
          enqueue(2)
          enqueue(3)
        }
        p.thread {
          try dequeue()
          enqueue(4)
        }
        p.thread {
          try dequeue()
          try dequeue()
        }
      },
      .init("synthetic/psc-wb-fixpoint", 0) { p, x, y, z in
        p.thread {
          x.store(1)
          try assume(y.load() == 0)
        }
        p.thread {
          x.store(2, .relaxed)
          p.fence()
          try assume(z.load(.relaxed) == 0)
        }
        p.thread {
          y.store(1)
          try assume(x.load() == 2)
        }
        p.thread {
          z.store(1, .relaxed)
          p.fence()
          try assume(x.load(.relaxed) == 1)
        }
      },
      .init("synthetic/psc-wb-fp-sezgin", 0) { p, a, b, c in
        p.thread {
          c.store(2)
          a.store(2)
          try assume(b.load() == 2)
        }
        p.thread {
          c.store(1)
          try assume(a.load() == 2)
          try assume(b.load() == 1)
        }
        p.thread {
          b.store(2)
          a.store(1)
          try assume(c.load() == 2)
        }
        p.thread {
          b.store(1)
          try assume(a.load() == 1)
          try assume(c.load() == 1)
        }
      },
      .init("synthetic/psc-wb-why-fxp", 0) { p, x, y in
        for value in 1...2 {
          p.thread {
            x.store(value)
            try assume(y.load() == 0)
            y.store(value)
            try assume(x.load() == value)
          }
        }
      },
      .init("synthetic/barrier4", 1) { p, x in
        let barrier = p.barrier(2)
        p.thread {
          x.store(42)
          barrier.wait()
        }
        p.thread {
          barrier.wait()
          x.load()
        }
      },
      .init("synthetic/barrier-lock", 4) { p in
        let (barrier, lock) = (p.barrier(2), p.word())
        for _ in 0..<2 {
          p.thread {
            for _ in 0..<2 {
              barrier.wait()
              try assume(lock.replace(0, by: 1).isDone)
              lock.store(0)
            }
          }
        }
      },
    ],
    family("synthetic/dekker2-fixed", [2, 3, 4], [6, 6, 6]) { count, p in
      let (x, y, z1, z2) = (p.place(), p.place(), p.place(), p.place())
      p.thread {
        y.store(1)
        if x.load() == 0 { z1.store(1, .relaxed) }
      }
      p.thread {
        x.store(1)
        if y.load() == 0 { z2.store(1, .relaxed) }
      }
      p.thread {
        if z1.load(.relaxed) != 0, z2.load(.relaxed) != 0 { for value in 0..<count { x.store(value, .relaxed) } }
      }
      p.thread {
        if z1.load(.relaxed) != 0, z2.load(.relaxed) != 0 { for _ in 0..<count { x.load(.relaxed) } }
      }
    },
    family("synthetic/barrier1", [3, 4, 5], [1, 1, 1]) { count, p in
      let barrier = p.barrier(count)
      for _ in 0..<count { p.thread { barrier.wait() } }
    },
    family("synthetic/barrier2", [3, 4, 5], [1, 1, 1]) { count, p in
      let barrier = p.barrier(count)
      for _ in 0..<count {
        p.thread {
          barrier.wait()
          barrier.wait()
        }
      }
    },
    family("synthetic/barrier3", [2, 3, 4], [2, 6, 24]) { count, p in
      let (barrier, lock) = (p.barrier(count), p.word())
      for _ in 0..<count {
        p.thread {
          try assume(lock.replace(0, by: 1).isDone)
          lock.store(0)
        }
        p.thread { barrier.wait() }
      }
    }
  )

  /// Peterson's lock, with the section that it guards.
  private static func peterson(_ p: Threads, _ load: Order, _ store: Order) {
    let (flags, turn, x) = (p.places(2), p.place(), p.place())
    for (own, other) in [(0, 1), (1, 0)] {
      p.thread {
        flags[own].store(1, store)
        turn.store(other, store)
        try assume(flags[other].load(load) != 1 || turn.load(load) != other)
        x.store(own, store)
        x.load(load)
        flags[own].store(0, store)
      }
    }
  }

  /// Lamport's fast lock for two threads.
  private static func lamportLock(_ thread: Int, _ wants: [Place], _ x: Place, _ y: Place) throws {
    while true {
      wants[thread].store(1)
      x.store(thread)
      if y.load() != 0 {
        wants[thread].store(0)
        try assume(y.load() == 0)
        continue
      }
      y.store(thread)
      guard x.load() != thread else { return }
      wants[thread].store(0)
      for other in 1...2 { try assume(wants[other].load() == 0) }
      if y.load() == thread { return }
      try assume(y.load() == 0)
    }
  }

  /// Szymanski's lock, with the section that it guards.
  private static func szymanski(own: Place, other: Place, _ x: Place, _ value: Int, _ p: Threads) throws {
    func enter(_ state: Int) {
      own.store(state, .relaxed)
      p.fence()
    }
    enter(1)
    try assume(other.load(.relaxed) < 3)
    enter(3)
    if other.load(.relaxed) == 1 {
      enter(2)
      try assume(other.load(.relaxed) == 4)
    }
    enter(4)
    try assume(other.load(.relaxed) < 2)
    x.store(value, .relaxed)
    x.load(.relaxed)
    x.load(.relaxed)
    p.fence()
    try assume(2 > other.load(.relaxed) || other.load(.relaxed) > 3)
    own.store(0, .relaxed)
  }
}
