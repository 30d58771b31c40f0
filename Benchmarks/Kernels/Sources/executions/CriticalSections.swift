// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Critical sections: executions differ by what is read and stored in them, not by the turns with the lock alone.
  static let critical: [Program] = criticalSections.map(\.onlyRC11)

  private static let criticalSections = joined(
    family("lapor/N-reads-lock", [6, 7, 8], [1, 1, 1]) { count, p in
      let (x, lock) = (p.place(), p.lock(isCounted: false))
      for _ in 0..<count { p.thread { lock.withLock { x.load(.relaxed) } } }
    },
    family("lapor/N-writes-lock", [2, 3, 4], [2, 6, 24]) { count, p in
      let (x, lock) = (p.place(), p.lock(isCounted: false))
      for _ in 0..<count { p.thread { lock.withLock { x.store(42, .relaxed) } } }
    },
    family("lapor/N-ww-lock-rr", [2, 3, 4], [2, 6, 24]) { count, p in
      let (x, y, lock) = (p.place(), p.place(), p.lock(isCounted: false))
      for value in 0..<count {
        p.thread {
          lock.withLock {
            x.store(value, .relaxed)
            y.store(value, .relaxed)
          }
        }
      }
    },
    family("lapor/binc-locks", [2, 3, 4], [4, 36, 576]) { count, p in
      let (x, lockOfX) = (p.place(), p.lock(isCounted: false))
      let (y, lockOfY) = (p.place(), p.lock(isCounted: false))
      for _ in 0..<count {
        p.thread {
          lockOfX.withLock { add(1, to: x) }
          lockOfY.withLock { add(1, to: y) }
        }
      }
    },
    family("lapor/casrot-locks", [2, 3, 4, 5, 6], [2, 5, 14, 43, 144]) { count, p in
      let (x, lock) = (p.place(), p.lock(isCounted: false))
      for value in 1...count {
        p.thread { lock.withLock { if x.load(.relaxed) == value - 1 { x.store(value, .relaxed) } } }
      }
    },
    family("lapor/casw-locks", [2, 3, 4], [6, 66, 1_200]) { count, p in
      let (x, lock) = (p.place(), p.lock(isCounted: false))
      for value in 0..<count {
        p.thread {
          lock.withLock { if x.load(.relaxed) == 0 { x.store(1, .relaxed) } }
          lock.withLock { x.store(value + 3, .relaxed) }
        }
      }
    },
    family("lapor/wcas-locks", [2, 3, 4, 5], [5, 13, 33, 81]) { count, p in
      let (x, lock) = (p.place(), p.lock(isCounted: false))
      p.thread { lock.withLock { x.store(2, .relaxed) } }
      for _ in 0..<count {
        p.thread { lock.withLock { if x.load(.relaxed) == 2 { x.store(3, .relaxed) } } }
      }
    },
    family("lapor/complex-lock", [2, 3], [6, 90]) { count, p in
      let (x, lock, other) = (p.place(), p.lock(isCounted: false), p.lock(isCounted: false))
      for _ in 0..<count {
        p.thread {
          lock.withLock { add(1, to: x) }
          other.withLock {}
          lock.withLock { add(1, to: x) }
        }
      }
    },
    [
      .init("lapor/N-rw-lock", 720) { p, x in
        let lock = p.lock(isCounted: false)
        for value in 1...6 {
          p.thread {
            lock.withLock {
              x.load(.relaxed)
              x.store(value, .relaxed)
            }
          }
        }
      },
      .init("lapor/cii-locks", 6) { p, x in
        let lock = p.lock(isCounted: false)
        p.thread { lock.withLock { if x.load(.relaxed) == 1 { x.store(2, .relaxed) } } }
        for _ in 0..<2 { p.thread { lock.withLock { add(1, to: x) } } }
      },
      .init("lapor/lazy01", 6) { p, data in
        let lock = p.lock(isCounted: false)
        for number in 1...2 { p.thread { lock.withLock { add(number, to: data) } } }
        p.thread { lock.withLock { data.load(.relaxed) } }
      },
      .init("lapor/lb-induces-wb", 0) { p, x, y, z in
        let lock = p.lock(isCounted: false)
        p.thread {
          lock.withLock { y.store(1) }
          try assume(x.load() == 2)
        }
        p.thread {
          try lock.withLock {
            x.store(1)
            try assume(y.load() == 0)
          }
        }
        p.thread {
          try lock.withLock {
            x.store(2)
            try assume(z.load() == 0)
          }
        }
        p.thread {
          lock.withLock { z.store(1) }
          try assume(x.load() == 1)
        }
      },
      .init("lapor/lock-r+w+r", 4) { p, x in
        let lock = p.lock(isCounted: false)
        p.thread { lock.withLock { x.load(.relaxed) } }
        p.thread { lock.withLock { x.store(42, .relaxed) } }
        p.thread { lock.withLock { x.load(.relaxed) } }
      },
      .init("lapor/lock-w+w+r", 6) { p, x in
        let lock = p.lock(isCounted: false)
        p.thread { lock.withLock { x.store(42, .relaxed) } }
        p.thread { lock.withLock { x.store(17, .relaxed) } }
        p.thread { lock.withLock { x.load(.relaxed) } }
      },
      .init("lapor/lock-wx+wy+rxry", 3) { p, x, y in
        let lock = p.lock(isCounted: false)
        p.thread { lock.withLock { x.store(42, .relaxed) } }
        p.thread { lock.withLock { y.store(42, .relaxed) } }
        p.thread { lock.withLock { if x.load(.relaxed) == 42 { y.load(.relaxed) } } }
      },
      .init("lapor/lock-wxwy+rxry", 2) { p, x, y in
        let lock = p.lock(isCounted: false)
        p.thread {
          lock.withLock {
            x.store(42, .relaxed)
            y.store(42, .relaxed)
          }
        }
        p.thread {
          lock.withLock {
            x.load(.relaxed)
            y.load(.relaxed)
          }
        }
      },
      .init("lapor/sb+locks", 3) { p, x, y in
        let lock = p.lock(isCounted: false)
        p.thread {
          y.store(1, .relaxed)
          lock.withLock {}
          x.load(.relaxed)
        }
        p.thread {
          x.store(1, .relaxed)
          lock.withLock {}
          y.load(.relaxed)
        }
      },
      .init("lapor/stateful01-2", 4) { p in
        let (lock, data1, data2) = (p.lock(isCounted: false), p.place(10), p.place(10))
        p.thread {
          lock.withLock { add(1, to: data1) }
          lock.withLock { add(1, to: data2) }
        }
        p.thread {
          lock.withLock { add(5, to: data1) }
          lock.withLock { add(-6, to: data2) }
        }
      },
      .init("lapor/time_var_mutex", 2) { p in
        let (lockOfInode, lockOfBusy) = (p.lock(isCounted: false), p.lock(isCounted: false))
        let (block, busy, inode) = (p.place(), p.place(), p.place())
        p.thread {
          lockOfInode.withLock {
            if inode.load(.relaxed) == 0 {
              lockOfBusy.withLock { busy.store(1, .relaxed) }
              inode.store(1, .relaxed)
            }
            block.store(1, .relaxed)
            block.load(.relaxed)
          }
        }
        p.thread {
          lockOfBusy.withLock {
            if busy.load(.relaxed) == 0 {
              block.store(0, .relaxed)
              block.load(.relaxed)
            }
          }
        }
      },
      .init("lapor/read_write_lock-1", 120) { p, x, y in
        let (lock, writers, readers) = (p.lock(), p.place(), p.place())
        for _ in 0..<2 {
          p.thread {
            try lock.withLock {
              try assume(writers.load(.relaxed) == 0 && readers.load(.relaxed) == 0)
              writers.store(1, .relaxed)
            }
            x.store(3)
            lock.withLock { writers.store(0, .relaxed) }
          }
          p.thread {
            try lock.withLock {
              try assume(writers.load(.relaxed) == 0)
              add(1, to: readers)
            }
            y.store(x.load())
            y.load()
            x.load()
            lock.withLock { add(-1, to: readers) }
          }
        }
      },
      .init("lapor/stack-1", 252) { p, top in
        let (lock, elements) = (p.lock(isCounted: false), p.places(5))
        p.thread {
          for value in 0..<5 {
            lock.withLock {
              elements[top.load(.relaxed)].store(value, .relaxed)
              add(1, to: top)
            }
          }
        }
        p.thread {
          for _ in 0..<5 {
            lock.withLock {
              if top.load(.relaxed) > 0 {
                add(-1, to: top)
                elements[top.load(.relaxed)].load(.relaxed)
              }
            }
          }
        }
      },
      .init("lapor/triangular-1", 5_922) { p in
        // Also fib_bench1, which adds instead.
        let (lock, i, j) = (p.lock(isCounted: false), p.place(3), p.place(6))
        p.thread { for _ in 0..<5 { lock.withLock { i.store(j.load(.relaxed) + 1, .relaxed) } } }
        p.thread { for _ in 0..<5 { lock.withLock { j.store(i.load(.relaxed) + 1, .relaxed) } } }
        p.thread {
          lock.withLock { i.load(.relaxed) }
          lock.withLock { j.load(.relaxed) }
        }
      },
      .init("lapor/fib_bench1", 5_922) { p in
        let (lock, i, j) = (p.lock(isCounted: false), p.place(1), p.place(1))
        p.thread { for _ in 0..<5 { lock.withLock { i.store(i.load(.relaxed) + j.load(.relaxed), .relaxed) } } }
        p.thread { for _ in 0..<5 { lock.withLock { j.store(j.load(.relaxed) + i.load(.relaxed), .relaxed) } } }
        p.thread {
          lock.withLock { i.load(.relaxed) }
          lock.withLock { j.load(.relaxed) }
        }
      },
      .init("lapor/indexer", 64) { p in
        let table = (0..<128).map { _ in (lock: p.lock(isCounted: false), place: p.place()) }
        for thread in 0..<13 {
          p.thread {
            for message in 1...4 {
              let word = message * 11 + thread
              var index = word * 7 % 128
              var isDone = false
              while !isDone {
                let (lock, place) = table[index]
                lock.withLock {
                  isDone = place.load(.relaxed) == 0
                  if isDone { place.store(word, .relaxed) }
                }
                index = (index + 1) % 128
              }
            }
          }
        }
      },
      .init("lapor/filesystem", 64) { p in
        // Threads that each allocate a block of a disk for a file of their own.
        let inodes = (0..<32).map { _ in (lock: p.lock(isCounted: false), place: p.place()) }
        let blocks = (0..<26).map { _ in (lock: p.lock(isCounted: false), isBusy: p.place()) }
        for thread in 0..<19 {
          p.thread {
            let inode = inodes[thread]
            inode.lock.withLock {
              guard inode.place.load(.relaxed) == 0 else { return }
              var (number, isDone) = (thread * 2 % 26, false)
              while !isDone {
                let (lock, isBusy) = blocks[number]
                lock.withLock {
                  isDone = isBusy.load(.relaxed) == 0
                  if isDone {
                    isBusy.store(1, .relaxed)
                    inode.place.store(number + 1, .relaxed)
                  }
                }
                number = (number + 1) % 26
              }
            }
          }
        }
      },
    ]
  )

  private static func add(_ number: Int, to place: Place) { place.store(place.load(.relaxed) + number, .relaxed) }
}
