// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Two threads that store to a place each, and then to that of the other, or read it.
  static let stores: [Program] = [
    .init("litmus/2+2W", 4, 3) { p, x, y in
      p.thread {
        x.store(1, .releasing)
        y.store(2, .releasing)
      }
      p.thread {
        y.store(1, .releasing)
        x.store(2, .releasing)
      }
    }
    .finds(3, .modificationOrder),
    .init("litmus/2+2W+2sc+scf", 3) { p, x, y in
      p.thread {
        x.store(1)
        y.store(2)
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.store(2, .relaxed)
      }
    },
    .init("litmus/2+2W+3sc+rel1", 4, 3) { p, x, y in
      p.thread {
        x.store(1)
        y.store(2)
      }
      p.thread {
        y.store(1, .releasing)
        x.store(2)
      }
    }
    .finds(3, .modificationOrder),
    .init("litmus/2+2W+3sc+rel2", 4, 3) { p, x, y in
      p.thread {
        x.store(1)
        y.store(2)
      }
      p.thread {
        y.store(1)
        x.store(2, .releasing)
      }
    }
    .finds(3, .modificationOrder),
    .init("litmus/2+2W+4sc", 3) { p, x, y in
      p.thread {
        x.store(1)
        y.store(2)
      }
      p.thread {
        y.store(1)
        x.store(2)
      }
    },
    .init("litmus/2+2W+scfs", 3) { p, x, y in
      p.thread {
        x.store(1, .relaxed)
        p.fence()
        y.store(2, .relaxed)
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.store(2, .relaxed)
      }
    },
    .init("litmus/SB", 4, 3) { p, x, y in
      p.thread {
        x.store(1, .releasing)
        y.load(.acquiring)
      }
      p.thread {
        y.store(1, .releasing)
        x.load(.acquiring)
      }
    },
    .init("litmus/SB+2sc+scf", 3) { p, x, y in
      p.thread {
        x.store(1)
        y.load()
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.load(.relaxed)
      }
    },
    .init("litmus/SB+3sc+acq", 4, 3) { p, x, y in
      p.thread {
        x.store(1)
        y.load()
      }
      p.thread {
        y.store(1)
        x.load(.acquiring)
      }
    },
    .init("litmus/SB+3sc+rel", 4, 3) { p, x, y in
      p.thread {
        x.store(1)
        y.load()
      }
      p.thread {
        y.store(1, .releasing)
        x.load()
      }
    },
    .init("litmus/SB+4sc", 3) { storeBuffering($0, $1, $2) },
    .init("litmus/SB+assert", 3) { storeBuffering($0, $1, $2) },
    .init("litmus/SB+rfis", 4, 3) { p, x, y in
      p.thread {
        x.store(1, .releasing)
        x.load()
        y.load()
      }
      p.thread {
        y.store(1, .releasing)
        y.load()
        x.load()
      }
    }
    .finds(3, .sequentialOrder),
    .init("litmus/SB+scfs", 3) { p, x, y in
      p.thread {
        x.store(1, .relaxed)
        p.fence()
        y.load(.relaxed)
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.load(.relaxed)
      }
    },
    .init("litmus/S", 4, 3) { p, x, y in
      p.thread {
        x.store(2, .relaxed)
        y.store(1, .relaxed)
      }
      p.thread {
        y.load(.relaxed)
        x.store(1, .relaxed)
      }
    }
    .finds(3, .modificationOrder),
    .init("litmus/Z6+acq", 7) { p, a, b, c in
      p.thread {
        a.store(1, .relaxed)
        p.fence()
        b.store(1, .relaxed)
      }
      p.thread {
        b.load(.acquiring)
        c.store(1, .relaxed)
      }
      p.thread {
        c.store(2, .relaxed)
        p.fence()
        a.load(.relaxed)
      }
    },
    .init("litmus/Z6.U", 22, 18) { p, x, y in
      p.thread {
        x.store(1)
        y.store(1, .releasing)
      }
      p.thread {
        y.add(1)
        y.load(.relaxed)
      }
      p.thread {
        y.store(3)
        x.load()
      }
    }
    .finds(18, .sequentialOrder),
    .init("litmus/peterZ", 7) { p, x, y, z in
      p.thread {
        x.store(1, .relaxed)
        p.fence()
        y.load(.relaxed)
      }
      p.thread {
        y.store(1, .relaxed)
        z.store(1, .releasing)
      }
      p.thread {
        z.load(.acquiring)
        p.fence()
        x.load(.relaxed)
      }
    },
    .init("litmus/RWC+syncs", 7) { p, x, y in
      p.thread { x.store(1, .relaxed) }
      p.thread {
        x.load(.relaxed)
        p.fence()
        y.load(.relaxed)
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.load(.relaxed)
      }
    },
    .init("litmus/W+RWC", 7) { p, x, y, z in
      p.thread {
        x.store(1, .relaxed)
        z.store(1, .releasing)
      }
      p.thread {
        z.load(.acquiring)
        p.fence()
        y.load(.relaxed)
      }
      p.thread {
        y.store(1, .relaxed)
        p.fence()
        x.load(.relaxed)
      }
    },
    .init("litmus/IRIW-acq-sc", 16, 15) { p, x, y in
      p.thread { x.store(1) }
      p.thread {
        x.load(.acquiring)
        y.load()
      }
      p.thread {
        y.load(.acquiring)
        x.load()
      }
      p.thread { y.store(1) }
    }
    .finds(15, .sequentialOrder),
    .init("litmus/WWmerge1", 17, 15) { p, x, y in
      p.thread {
        x.load(.acquiring)
        y.load()
      }
      p.thread {
        x.store(1)
        x.store(2)
      }
      p.thread {
        y.store(1)
        x.load()
      }
    }
    .finds(15, .sequentialOrder),
    .init("litmus/WWmerge2", 8, 7) { p, x, y in
      p.thread {
        x.load(.acquiring)
        y.load()
      }
      p.thread { x.store(2) }
      p.thread {
        y.store(1)
        x.load()
      }
    }
    .finds(7, .sequentialOrder),
    .init("litmus/WWR+2WR", 0) { p, x, y, z in
      p.thread {
        x.store(1)
        y.store(1)
        try assume(z.load() == 0)
      }
      p.thread {
        z.store(1)
        try assume(y.load() == 2)
      }
      p.thread {
        y.store(2)
        try assume(x.load() == 0)
      }
    },
    .init("litmus/psc-ar", 1, 0) { p, x, y, z in
      p.thread {
        try assume(y.load(.relaxed) == 1)
        p.fence()
        try assume(z.load(.relaxed) == 0)
      }
      p.thread {
        z.store(1, .relaxed)
        p.fence()
        x.store(1, .relaxed)
      }
      p.thread {
        let seen = x.load(.relaxed)
        if seen == 1 { y.store(1, .relaxed) }
        try assume(seen == 1)
      }
    }
    .finds(0, .sequentialOrder),
    .init("litmus/psc-base-notin-ar", 2, 1) { p, x, y in
      p.thread {
        try assume(x.load(.relaxed) == 2)
        y.store(1)
      }
      p.thread { y.store(2) }
      p.thread {
        let seen = y.load(.relaxed)
        try assume(seen == 2)
        x.store(seen, .relaxed)
      }
    }
    .finds(1, .modificationOrder),
    .init("litmus/psc-sbhbsb", 1) { p, x, y in
      p.thread {
        x.store(1)
        y.store(1)
      }
      p.thread {
        try assume(x.load(.acquiring) == 1)
        try assume(y.load() == 0)
      }
    },
  ]

  @Sendable private static func storeBuffering(_ p: Threads, _ x: Place, _ y: Place) {
    p.thread {
      x.store(1)
      y.load()
    }
    p.thread {
      y.store(1)
      x.load()
    }
  }
}
