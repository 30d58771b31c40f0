// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// A thread that stores a message and then a flag, and one that reads the flag, and then the message.
  static let messages: [Program] = [
    .init("litmus/MP", 3) { p, x, y in
      p.thread {
        x.store(1, .releasing)
        y.store(1, .releasing)
      }
      p.thread {
        y.load(.acquiring)
        x.load(.acquiring)
      }
    },
    .init("litmus/MP2", 9) { p in
      let (a, b, c, d) = (p.place(), p.place(), p.place(), p.place())
      p.thread {
        a.store(1, .relaxed)
        c.store(1, .relaxed)
        p.fence(.acquiringAndReleasing)
        b.store(1, .relaxed)
        d.store(1, .relaxed)
      }
      p.thread {
        b.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        a.load(.relaxed)
      }
      p.thread {
        d.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        c.load(.relaxed)
      }
    },
    .init("litmus/MP+incMP", 7) { p, x, y, z in
      p.thread {
        y.load(.acquiring)
        z.add(1, .acquiringAndReleasing)
      }
      p.thread {
        z.add(1, .acquiringAndReleasing)
        x.load(.acquiring)
      }
      p.thread {
        x.store(1, .releasing)
        y.store(1, .releasing)
      }
    },
    .init("litmus/IRIWish", 28, 27) { p, x, y in
      p.thread { x.store(1, .relaxed) }
      p.thread { y.store(x.load(.relaxed), .releasing) }
      p.thread {
        x.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        y.load(.relaxed)
      }
      p.thread {
        y.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
    },
    .init("litmus/WRC+dep", 8, 7) { p, x, y in
      p.thread { x.store(1, .relaxed) }
      p.thread { y.store(x.load(.relaxed), .relaxed) }
      p.thread {
        y.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
    },
    .init("litmus/cumul-release", 8, 7) { p, x, y, z in
      p.thread {
        x.store(1, .relaxed)
        y.store(1, .releasing)
      }
      p.thread { z.store(y.load(.relaxed), .relaxed) }
      p.thread {
        z.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
    },
    .init("litmus/rel-B-cumul-acq", 16, 14) { p, x, y, z in
      p.thread {
        x.store(1, .relaxed)
        y.store(1, .releasing)
      }
      p.thread { z.store(y.load(.relaxed), .relaxed) }
      p.thread {
        z.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
      p.thread { y.load(.acquiring) }
    },
    .init("litmus/relacq-B-cumul", 8, 7) { p, x, y, z in
      p.thread {
        x.store(1, .relaxed)
        y.store(1, .releasing)
      }
      p.thread {
        y.load(.acquiring)
        z.store(1, .relaxed)
      }
      p.thread {
        z.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
    },
    .init("litmus/isa2", 7) { p, a, b, c in
      p.thread {
        a.store(1, .relaxed)
        b.store(1, .releasing)
      }
      p.thread {
        b.load(.acquiring)
        c.store(1, .releasing)
      }
      p.thread {
        c.load(.acquiring)
        a.load(.relaxed)
      }
    },
    .init("litmus/atomicpo", 4, 3) { p, x, y in
      p.thread {
        y.store(1, .relaxed)
        p.fence(.acquiringAndReleasing)
        x.store(1, .relaxed)
      }
      p.thread {
        x.exchange(1, .relaxed)
        y.exchange(1, .relaxed)
      }
    }
    .finds(3, .modificationOrder),
    .init("litmus/relseq", 20, 16) { p, x, y in
      p.thread {
        x.store(1, .relaxed)
        y.store(1, .releasing)
        y.store(2, .relaxed)
      }
      p.thread { y.exchange(3, .relaxed) }
      p.thread {
        y.load(.relaxed)
        p.fence(.acquiringAndReleasing)
        x.load(.relaxed)
      }
    },
  ]

  /// The same with a message that is no atomic in C, where each way to release meets each way to acquire.
  static let published: [Program] = Release.allCases.flatMap { release -> [Program] in
    Acquire.allCases.flatMap { acquire -> [Program] in
      let name = "\(release.rawValue)+\(acquire.rawValue)"
      let isSequence = release == .sequence
      let programs: [Program] = [
        Program("litmus/MP+\(name)", isSequence ? 4 : 2, isSequence ? 3 : 2) { p, x, y in
          p.thread { release.publish(x, y, p) }
          p.thread { if acquire.load(y, above: 0, p) { x.load(.relaxed) } }
        },
        Program("litmus/S+\(name)", isSequence ? 4 : 2, isSequence ? 3 : 2) { p, x, y in
          p.thread { release.publish(x, y, p) }
          p.thread { if acquire.load(y, above: 0, p) { x.store(2, .relaxed) } }
        },
        Program("litmus/MPU+\(name)", isSequence ? 13 : 6, isSequence ? 12 : 6) { p, x, y in
          p.thread { release.publish(x, y, p) }
          p.thread { y.add(1, .relaxed) }
          p.thread { if acquire.load(y, above: 1, p) { x.store(2, .relaxed) } }
        },
        Program("litmus/MPU2+\(name)", isSequence ? 36 : 14, isSequence ? 35 : 14) { p, x in
          // Not 0 at first, so that the values are different.
          let y = p.word(-1)
          p.thread { release.publish(x, y, p) }
          p.thread { y.replace(2, by: 3, .relaxed) }
          p.thread { y.replace(1, by: 2, .relaxed) }
          p.thread { if acquire.load(y, above: 2, p) { x.store(2, .relaxed) } }
        },
      ]
      guard isSequence else { return programs }
      return zip(programs, [4, 3, 12, 35]).map { program, executions in
        program.rc11 == executions ? program : program.finds(executions, .modificationOrder)
      }
    }
  }

  /// The ways to publish a message.
  private enum Release: String, CaseIterable {
    case store = "rel"
    case fence = "relf"
    case sequence = "rels"

    func publish(_ message: Place, _ flag: Place, _ p: Threads) {
      message.store(1, .relaxed)
      switch self {
      case .store:
        flag.store(1, .releasing)
      case .fence:
        p.fence(.releasing)
        flag.store(1, .relaxed)
      case .sequence:
        // The second store goes on with the release of the first in C11, and no longer in C++20.
        flag.store(0, .releasing)
        flag.store(1, .relaxed)
      }
    }
  }

  /// The ways to see that there is one.
  private enum Acquire: String, CaseIterable {
    case load = "acq"
    case fence = "acqf"

    func load(_ flag: Place, above least: Int, _ p: Threads) -> Bool {
      switch self {
      case .load:
        return flag.load(.acquiring) > least
      case .fence:
        guard flag.load(.relaxed) > least else { return false }
        p.fence(.acquiring)
        return true
      }
    }
  }
}
