// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Threads that read, and store what others read: in no execution does a value come out of thin air.
  static let loads: [Program] = [
    .init("litmus/LB", 3) { p, x, y in
      p.thread {
        y.load(.acquiring)
        x.store(1, .releasing)
      }
      p.thread {
        x.load(.acquiring)
        y.store(1, .releasing)
      }
    },
    .init("litmus/LB+acq", 3) { p, x, y in
      p.thread {
        x.load(.acquiring)
        y.store(1, .relaxed)
      }
      p.thread {
        y.load(.acquiring)
        x.store(1, .relaxed)
      }
    },
    .init("litmus/LB+rel", 3) { p, x, y in
      p.thread {
        x.load(.relaxed)
        y.store(1, .releasing)
      }
      p.thread {
        y.load(.relaxed)
        x.store(1, .releasing)
      }
    },
    .init("litmus/LB2", 3) { p, x, y in
      p.thread {
        x.load(.relaxed)
        y.store(1, .relaxed)
      }
      p.thread {
        y.load(.relaxed)
        x.store(1, .relaxed)
      }
    },
    .init("litmus/LB3", 7) { p, a, b, c in
      p.thread {
        a.load(.relaxed)
        b.store(1, .relaxed)
      }
      p.thread {
        b.load(.relaxed)
        c.store(1, .relaxed)
      }
      p.thread {
        c.load(.relaxed)
        a.store(1, .relaxed)
      }
    },
    .init("litmus/LB+addr", 3) { addressDependency($0, $1) },
    .init("litmus/LB+addr-fun", 3) { addressDependency($0, $1) },
    .init("litmus/LB+addr-ind-fun", 3) { addressDependency($0, $1) },
    .init("litmus/LB+ctrl", 3) { p, x, y in
      p.thread { y.store(x.load(.relaxed) == 0 ? 1 : 2, .relaxed) }
      p.thread { x.store(y.load(.relaxed) == 0 ? 1 : 2, .relaxed) }
    },
    .init("litmus/LB+ctrl+rel", 3) { p, x, y in
      p.thread { y.store(x.load(.relaxed) == 0 ? 1 : 2, .relaxed) }
      p.thread {
        y.load(.relaxed)
        x.store(1, .releasing)
      }
    },
    .init("litmus/LB+dep", 3) { p, x, y in
      p.thread { y.store(x.load(.relaxed) + 1, .relaxed) }
      p.thread { x.store(y.load(.relaxed) + 1, .relaxed) }
    },
    .init("litmus/LB+fr-fr-data+data", 18, 16) { p, x, y in
      p.thread {
        x.load(.relaxed)
        y.store(1, .relaxed)
      }
      p.thread {
        y.load(.relaxed)
        y.load(.relaxed)
        x.store(1, .relaxed)
      }
      p.thread { y.store(2, .relaxed) }
    }
    .finds(16, .modificationOrder),
    .init("litmus/LB+incMPs", 15) { p in
      let (x, y, w, z) = (p.place(), p.place(), p.place(), p.place())
      p.thread {
        x.load(.acquiring)
        z.add(1, .acquiringAndReleasing)
      }
      p.thread {
        z.add(1, .acquiringAndReleasing)
        y.store(1, .releasing)
      }
      p.thread {
        y.load(.acquiring)
        w.add(1, .acquiringAndReleasing)
      }
      p.thread {
        w.add(1, .acquiringAndReleasing)
        x.store(1, .releasing)
      }
    },
    .init("litmus/TC1", 3) { p, x, y in
      p.thread { if x.load(.relaxed) >= 0 { y.store(1, .relaxed) } }
      p.thread { x.store(y.load(.relaxed), .relaxed) }
    },
    .init("litmus/TC2", 4) { p, x, y in
      p.thread {
        let (first, second) = (x.load(.relaxed), x.load(.relaxed))
        if first == second { y.store(1, .relaxed) }
      }
      p.thread { x.store(y.load(.relaxed), .relaxed) }
    },
    .init("litmus/detour", 9) { p, x, y, z in
      p.thread { x.store(1, .relaxed) }
      p.thread {
        x.store(z.load(.relaxed) - 1, .relaxed)
        y.store(x.load(.relaxed), .relaxed)
      }
      p.thread { z.store(y.load(.relaxed), .relaxed) }
    },
    .init("litmus/rfi-preserved", 3) { p, x, y, z in
      p.thread {
        x.load(.relaxed)
        y.store(1, .releasing)
        z.store(y.load(.relaxed), .relaxed)
      }
      p.thread { x.store(z.load(.relaxed), .relaxed) }
    },
    .init("litmus/rel-pporf", 3) { p, x, y, z in
      p.thread {
        x.load(.relaxed)
        z.store(1, .releasing)
        y.store(1, .releasing)
      }
      p.thread {
        y.load(.relaxed)
        x.store(1, .relaxed)
      }
    },
    .init("litmus/assume-ctrl", 4) { p, x, y in
      p.thread {
        try assume(2 > y.load(.relaxed) || y.load(.relaxed) > 3)
        x.store(1, .relaxed)
      }
      p.thread {
        try assume(x.load(.relaxed) < 3)
        y.store(3, .relaxed)
        p.fence()
        y.store(4, .relaxed)
      }
    },
    .init("litmus/casdep", 2) { p, x, z in
      let y = p.word()
      p.thread {
        let seen = x.load(.relaxed)
        z.store(y.replace(seen, by: 1, .relaxed).found, .relaxed)
      }
      p.thread { y.store(2, .relaxed) }
    },
  ]

  /// Which place is read depends on what was read before.
  @Sendable private static func addressDependency(_ p: Threads, _ x: Place) {
    let y = p.places(2)
    p.thread {
      y[x.load(.relaxed)].load(.relaxed)
      y[0].store(1, .relaxed)
    }
    p.thread { x.store(y[0].load(.relaxed), .releasing) }
  }
}
