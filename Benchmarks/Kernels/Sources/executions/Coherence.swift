// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

extension Program {
  /// Reads and stores of one place (coherence), and of several.
  static let coherence: [Program] = [
    .init("litmus/CoRR", 6) { p, x in
      p.thread {
        x.store(1, .releasing)
        x.store(2, .releasing)
      }
      p.thread {
        x.load(.acquiring)
        x.load(.acquiring)
      }
    },
    .init("litmus/CoRR0", 4) { p, x in
      p.thread { x.store(1, .releasing) }
      p.thread { x.load(.acquiring) }
      p.thread { x.load(.acquiring) }
    },
    .init("litmus/CoRR1", 36) { p, x in
      p.thread { x.store(1, .releasing) }
      p.thread { x.store(2, .releasing) }
      p.thread {
        x.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread { x.load(.acquiring) }
    },
    .init("litmus/CoRR2", 72) { p, x in
      p.thread { x.store(1, .releasing) }
      p.thread { x.store(2, .releasing) }
      p.thread {
        x.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread {
        x.load(.acquiring)
        x.load(.acquiring)
      }
    },
    .init("litmus/CoRW", 3) { p, x in
      p.thread {
        x.load(.acquiring)
        x.store(1, .releasing)
      }
      p.thread { x.store(2, .releasing) }
    },
    .init("litmus/CoWR", 3) { p, x in
      p.thread {
        x.store(1, .releasing)
        x.load(.acquiring)
      }
      p.thread { x.store(2, .releasing) }
    },
    .init("litmus/2CoWR", 4) { p, x, y in
      p.thread { y.load(.acquiring) }
      p.thread { x.load(.acquiring) }
      p.thread { x.store(1, .releasing) }
      p.thread { y.store(1, .releasing) }
    },
    .init("litmus/MCP-rrw", 6) { p, x in
      p.thread { x.store(1, .releasing) }
      p.thread { x.store(2, .releasing) }
      p.thread { x.load(.acquiring) }
    },
    .init("litmus/default", 12) { p, x in
      p.thread {
        x.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread { x.store(1, .releasing) }
      p.thread { x.store(2, .releasing) }
    },
    .init("litmus/small0", 9) { p, x in
      p.thread { x.load(.acquiring) }
      p.thread {
        x.load(.acquiring)
        x.store(1, .releasing)
      }
      p.thread { x.store(2, .releasing) }
    },
    .init("litmus/small1", 8) { p, x, y, z in
      p.thread {
        y.load(.acquiring)
        z.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread { x.store(1, .releasing) }
      p.thread {
        y.store(1, .releasing)
        z.store(1, .releasing)
      }
    },
    .init("litmus/W+RRR+W", 20) { p, x in
      p.thread { x.store(1, .relaxed) }
      p.thread { for _ in 1...3 { x.load(.relaxed) } }
      p.thread { x.store(2, .relaxed) }
    },
    .init("litmus/fr+w+w+w+reads", 210) { p, x in
      for value in 1...3 { p.thread { x.store(value, .relaxed) } }
      p.thread { for _ in 1...4 { x.load(.relaxed) } }
    },
    .init("litmus/JLT", 8) { p, x, y in
      p.thread {
        x.store(1, .releasing)
        y.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread {
        x.store(2, .releasing)
        x.load(.acquiring)
      }
      p.thread { y.store(3, .releasing) }
    },
    .init("litmus/W+JW", 1) { p, x, y in
      let end = Explored.Semaphore(value: 0)
      p.thread {
        x.store(42, .relaxed)
        end.signal()
      }
      p.thread {
        end.wait()
        x.load(.relaxed)
        y.store(42, .relaxed)
      }
    },
    .init("litmus/po-loc", 3) { p, x, y in
      p.thread {
        y.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
        x.store(1, .relaxed)
      }
      p.thread { y.store(x.load(.relaxed), .relaxed) }
    },
    .init("litmus/wrw(2)", 22) { threadsThatReadAndStore(2, $0, $1) },
    .init("litmus/wrw(3)", 300) { threadsThatReadAndStore(3, $0, $1) },
    .init("litmus/wrw(4)", 6_576) { threadsThatReadAndStore(4, $0, $1) },
  ]

  /// A thread that stores, and others that read and store.
  @Sendable private static func threadsThatReadAndStore(_ count: Int, _ p: Threads, _ x: Place) {
    p.thread { x.store(1, .releasing) }
    for value in 2..<2 + count {
      p.thread {
        x.load(.relaxed)
        x.store(value, .releasing)
      }
    }
  }
}
