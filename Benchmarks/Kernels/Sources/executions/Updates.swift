// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Updates of one place, and of several.
  static let updates: [Program] = [
    .init("litmus/RMWFix", 4) { p, x, y in
      p.thread {
        guard y.load() != 0 else { return }
        x.add(1)
        x.add(1)
      }
      p.thread { x.add(1) }
      p.thread { y.store(42) }
    },
    .init("litmus/ccr", 2) { p in
      let x = p.word()
      p.thread { x.replace(0, by: 42, .relaxed) }
      p.thread {
        x.replace(0, by: 17, .relaxed)
        x.load(.relaxed)
      }
    },
    .init("litmus/cii", 6) { p in
      let x = p.word()
      p.thread { x.replace(1, by: 2, .relaxed) }
      p.thread { x.add(1, .relaxed) }
      p.thread { x.add(1, .relaxed) }
    },
    .init("litmus/wcii", 24) { p in
      let x = p.word()
      p.thread { x.store(5, .releasing) }
      p.thread { x.replace(1, by: 2, .relaxed) }
      p.thread { x.add(1, .relaxed) }
      p.thread { x.add(1, .relaxed) }
    },
    .init("litmus/inc+inc+RR+W+RR", 600) { p, x in
      p.thread { x.add(1, .relaxed) }
      p.thread { x.add(1, .relaxed) }
      p.thread {
        x.load(.relaxed)
        x.load(.relaxed)
      }
      p.thread { x.store(42, .relaxed) }
      p.thread {
        x.load(.relaxed)
        x.load(.relaxed)
      }
    },
    .init("litmus/inc2w", 6) { p, x in
      p.thread { x.add(1, .relaxed) }
      p.thread { x.store(4, .releasing) }
      p.thread { x.add(2, .relaxed) }
    },
    .init("litmus/malloc-dep", 2) { p, x in
      // A count of what two threads allocate.
      p.thread { x.add(1, .relaxed) }
      p.thread { x.add(1, .relaxed) }
    },
    .init("litmus/ori", 5) { p, y in
      let x = p.word()
      p.thread {
        x.add(1, .relaxed)
        y.store(1, .releasing)
      }
      p.thread { x.replace(0, by: 1, .acquiring) }
      p.thread { if y.load(.relaxed) != 0 { x.store(4, .releasing) } }
    },
    .init("litmus/rii", 3) { p, x in
      p.thread {
        x.load(.relaxed)
        x.add(1, .relaxed)
      }
      p.thread { x.add(1, .relaxed) }
    },
    .init("litmus/rinc+wr", 3) { p, x in
      p.thread { x.add(1, .relaxed) }
      p.thread {
        x.store(2, .relaxed)
        x.load(.relaxed)
      }
    },
    .init("litmus/riwi", 3) { p, x, y in
      p.thread {
        y.load(.relaxed)
        x.add(1, .relaxed)
      }
      p.thread {
        x.add(1, .relaxed)
        y.store(1, .releasing)
      }
    },
    .init("litmus/viktor-relseq", 180) { p, x in
      p.thread {
        x.add(1, .acquiring)
        x.add(1, .relaxed)
      }
      p.thread {
        x.add(1, .relaxed)
        x.add(1, .relaxed)
      }
      p.thread { x.add(1, .releasing) }
      p.thread { x.add(1, .relaxed) }
    },
  ]

  static let litmus = coherence + stores + loads + messages + published + updates
  static let synthetic = counters + readers + algorithms
  static let all = litmus + synthetic + loops + critical + structures + nodes
}
