// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Loops that wait: a round that saw nothing new doesn't count, so each is an assumption about the last one.
  static let loops = joined(
    [
      .init("saver/IRIW-iter", 1) { p, x, y in
        for place in [x, y] { p.thread { for value in 1...42 { place.store(value, .releasing) } } }
        p.thread {
          try assume(x.load(.acquiring) == 42)
          try assume(y.load(.acquiring) == 0)
        }
        p.thread {
          try assume(y.load(.acquiring) == 0)
          try assume(x.load(.acquiring) == 42)
        }
      },
      .init("saver/assume-2vars", 1) { p, x, y in
        p.thread { countTogether(x, y) }
        p.thread { try assume(x.load() + y.load() == 84) }
      },
      .init("saver/assume-2vars-cond", 1) { p, x, y in
        p.thread { countTogether(x, y) }
        p.thread {
          let seen = x.load()
          let rest = seen != 0 ? seen - 42 : seen - 4_242
          try assume(y.load() == 42 && rest == 0)
        }
      },
      .init("saver/assume-conj", 1) { p, x, y in
        p.thread { countTogether(x, y) }
        p.thread { try assume(x.load() == 42 && y.load() == 42) }
      },
      .init("saver/assume-disj", 43) { p, x, y in
        p.thread { countTogether(x, y) }
        p.thread { try assume(x.load() == 42 || y.load() == 42) }
      },
      .init("saver/assume-cas", 1) { p in
        let x = p.word()
        p.thread { for value in 0..<42 { x.store(value) } }
        p.thread { try assume(x.replace(41, by: 42).isDone) }
      },
      .init("saver/assume-cas2", 1) { p in
        let x = p.word()
        p.thread { for value in 0..<42 { x.store(value) } }
        p.thread { try assume(x.replace(41, by: 42).found + 1 == 42) }
      },
      .init("saver/assume-exp", 256) { p, x in
        let a = p.places(8)
        p.thread { for value in 1...42 { x.store(value) } }
        p.thread { try assume(x.load() == 42) }
        p.thread { for place in a { place.store(0, .relaxed) } }
        p.thread { for place in a { place.load(.relaxed) } }
      },
      .init("saver/assume-mult-paths", 1) { p, x in
        p.thread { for value in 1...42 { x.store(value) } }
        p.thread {
          let seen = x.load()
          try assume((seen != 0 ? seen - 42 : seen - 4_242) == 0)
        }
      },
      .init("saver/assume-nonclear-path", 1) { p, x, y in
        p.thread { for value in 1...42 { x.store(value, .relaxed) } }
        p.thread {
          let seen = x.load(.relaxed)
          y.load(.relaxed)
          try assume(seen == 42)
        }
      },
      .init("saver/assume-not-postdom", 1) { waitForLast($0, $1) },
      .init("saver/assume-postdom", 1) { waitForLast($0, $1) },
      .init("saver/no-inline", 1) { p in
        let a = p.places(4)
        p.thread { for place in a { for value in 1...2 { place.store(value) } } }
        p.thread { try assume(a.allSatisfy { $0.load() == 2 }) }
      },
      .init("saver/local-dec", 1) { p, x in
        p.thread { for _ in 0..<2 { x.add(1) } }
      },
      .init("saver/loop-peel", 2) { p, x in
        p.thread { for value in 0..<42 { x.store(value) } }
        p.thread { try assume(x.load() == 0) }
      },
      .init("saver/loop-peel2", 4) { p, x in
        p.thread { for value in 0..<42 { x.store(value) } }
        for _ in 0..<2 { p.thread { try assume(x.load() == 0) } }
      },
      .init("saver/spin+phi-header", 42) { p, x in
        p.thread { for value in 1...42 { x.store(value, .relaxed) } }
        p.thread { try assume(x.load() != 0) }
      },
      .init("saver/spin-no-bisim", 1) { p, x in
        p.thread { try assume(x.load() != 0) }
        p.thread { x.store(42) }
      },
      .init("saver/spin-plain+phi", 1) { p, x in
        p.thread { try assume(x.load(.relaxed) == 41) }
        p.thread { for value in 0..<42 { x.store(value) } }
      },
      .init("saver/spin-dowhile1", 2) { p, x in
        p.thread { try assume(x.load(.acquiring) == 42 || x.load(.relaxed) == 0) }
        p.thread { for value in 1...42 { x.store(value, .relaxed) } }
      },
      .init("saver/spin-2cas-join2", 43) { p in
        let x = p.word()
        p.thread { for value in 1...42 { x.store(value) } }
        p.thread {
          let seen = x.load()
          try assume(x.replace(seen, by: seen == 42 ? 42 : 17).isDone)
        }
      },
      .init("saver/spin-2cas-samebranch", 43) { p in
        let (x, y) = (p.word(), p.word())
        p.thread { countTogether(x, y) }
        p.thread { try assume(x.replace(42, by: 17).isDone || y.replace(42, by: 17).isDone) }
      },
      .init("saver/spin-cas-res", 3) { p in
        // Not 0 at first, so that the values are different.
        let x = p.word(-1)
        p.thread { try assume(x.replace(x.load() == 42 ? 0 : 1, by: 42).isDone) }
        p.thread { for value in 0..<42 { x.store(value) } }
      },
      .init("saver/spin-cas-res-invalid2", 4) { p in
        let x = p.word()
        p.thread {
          let seen = x.load()
          while x.replace(seen, by: 42).isDone {}
        }
        p.thread { x.store(1) }
      },
      .init("saver/spin-cas1", 2) { p in
        let x = p.word()
        p.thread { try assume(x.replace(1, by: 42).isDone) }
        p.thread { x.store(1) }
        p.thread { x.store(2) }
      },
      .init("saver/spin-cas5", 3) { p in
        let x = p.word()
        p.thread { replaceWhatIsFound(x, x.load()) }
        p.thread { x.store(1) }
      },
      .init("saver/spin-cas6", 2) { p in
        let x = p.word()
        p.thread { try assume(x.replace(1, by: 42).isDone || x.load() == 42) }
        p.thread { x.store(42) }
      },
      .init("saver/spin-cas7", 4) { p in
        let x = p.word()
        p.thread { replaceWhatIsFound(x, x.load() + 1) }
        p.thread { x.store(1) }
      },
      .init("saver/spin-cas8", 3) { p in
        let x = p.word()
        p.thread { replaceWhatIsFound(x, x.load(), .acquiringAndReleasing) }
        p.thread { x.store(1) }
      },
      .init("saver/spin-lock", 6) { p in
        let (lock, a) = (p.lock(), p.places(4, -42))
        p.thread { try lock.withLock { try assume(a.allSatisfy { $0.load(.relaxed) != -42 }) } }
        for worker in 0..<2 {
          p.thread { for index in 0..<2 { lock.withLock { a[worker * 2 + index].store(index, .relaxed) } } }
        }
      },
      .init("liveness/doubleloop", 4) { p, x, y in
        p.thread { try assume(x.load() != 0 || y.load() != 0) }
        p.thread { if x.load() == 0 { y.store(1) } }
        p.thread { if y.load() == 0 { x.store(1) } }
      },
      .init("liveness/spinloop", 1) { p, x in
        p.thread { try assume(x.load() != 0) }
        p.thread { x.store(42) }
      },
      .init("liveness/dsa-live", 1) { p, x in
        let lock = p.place(1)
        p.thread {
          x.store(1, .relaxed)
          lock.store(0)
        }
        p.thread {
          try assume(lock.load() == 0)
          try assume(lock.exchange(1) == 0)
          x.load(.relaxed)
        }
      },
      .init("sr/ainc", 1) { p, x in
        for _ in 0..<2 { p.thread { x.add(1, .relaxed) } }
      }
      .finds(2, .symmetry).finds(2, .symmetry, .sc),
      .init("infr/TLS1", 3) { p, x, y in
        p.thread {
          x.store(42)
          y.load()
        }
        p.thread {
          y.store(42)
          x.load()
        }
      },
      .init("infr/TLS3", 2) { p, x in
        p.thread { x.load() }
        p.thread { x.store(1) }
      },
      .init("infr/no-unroll", 2) { p, x in
        p.thread { x.load() }
        p.thread { x.store(42) }
      },
      .init("infr/gl-ptr-gl", 42) { p, x in
        p.thread { x.load() }
        p.thread { for value in 0..<41 { x.store(value) } }
      },
      .init("infr/c11-threads", 2) { p, x in
        let lock = p.lock()
        for number in [1, -1] { p.thread { lock.withLock { x.store(x.load(.relaxed) + number, .relaxed) } } }
      },
      .init("infr/nested-create", 3) { p in
        let (x, y, z, w, flag) = (p.place(), p.place(), p.place(), p.place(), p.place())
        p.thread { flag.store(1) }
        p.thread {
          z.store(42)
          x.store(42)
        }
        p.thread {
          if flag.load() == 0 {
            try assume(x.load() == 42)
            z.load()
          } else {
            y.load()
            try assume(y.load() == 42)
            w.load()
          }
        }
        p.thread {
          w.store(42)
          y.store(42)
        }
      },
    ],
    family("saver/spin-cas3", [3, 4, 5], [6, 24, 120]) { count, p in
      let x = p.word()
      for _ in 0..<count {
        p.thread {
          try assume(x.replace(0, by: 1).isDone)
          x.store(0)
        }
      }
    }
  )

  private static func countTogether(_ x: Place, _ y: Place) {
    for value in 1...42 {
      x.store(value)
      y.store(value)
    }
  }

  @Sendable private static func waitForLast(_ p: Threads, _ x: Place) {
    p.thread { for value in 1...42 { x.store(value, .relaxed) } }
    p.thread { try assume(x.load(.relaxed) == 42) }
  }

  /// Replaces a value, or the one that is there instead.
  private static func replaceWhatIsFound(_ x: Place, _ value: Int, _ order: Order = .sequentiallyConsistent) {
    var expected = value
    while true {
      let (isDone, found) = x.replace(expected, by: 42, order)
      if isDone { return }
      expected = found
    }
  }
}
