// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Threads that read what others store.
  static let readers = joined(
    family("synthetic/readers", [2, 8, 13], [4, 256, 8_192]) { count, p in
      let x = p.place()
      p.thread { x.store(42, .releasing) }
      for _ in 0..<count { p.thread { x.load(.acquiring) } }
    },
    // Each of some threads counts one place up from the one before, while another one searches for the last zero.
    family("synthetic/lastzero", [5, 10, 15], [64, 3_328, 147_456]) { count, p in
      let places = p.places(count + 1)
      p.thread {
        var index = count
        while places[index].load(.acquiring) != 0 { index -= 1 }
      }
      for index in 1...count {
        p.thread { places[index].store(places[index - 1].load(.acquiring) + 1, .releasing) }
      }
    },
    // Threads that insert into a hash table of 128 places; each enters four words.
    family("synthetic/indexer", [12, 15], [8, 4_096]) { count, p in
      let table = (0..<128).map { _ in p.word() }
      for thread in 0..<count {
        p.thread {
          for message in 0..<4 {
            let word = message * 11 + thread
            var place = word * 7 % 128
            while !table[place].replace(0, by: word, .relaxed).isDone { place = (place + 1) % 128 }
          }
        }
      }
    },
    family("synthetic/CoA", [1, 2, 3, 4], [4, 16, 144, 2_304], [4, 15, 130, 2_028]) { count, p in
      let (x, y, z) = (p.place(), p.place(), p.place())
      p.thread {
        x.store(1, .releasing)
        y.load(.acquiring)
        x.load(.acquiring)
      }
      p.thread {
        x.store(2, .releasing)
        z.load(.acquiring)
        x.load(.acquiring)
      }
      for value in 0..<count - 1 {
        p.thread {
          y.store(value, .releasing)
          z.store(value, .releasing)
        }
      }
    },
    // Two threads that meet only at the end of a long way.
    family("synthetic/par_length", [400, 500, 600], [4, 4, 4]) { count, p in
      let v = p.place()
      for (number, own) in p.places(2).enumerated() {
        p.thread {
          for value in 0..<count {
            own.store(value)
            own.load()
          }
          v.store(number)
          v.load()
        }
      }
    },
    [
      .init("synthetic/N-writers", 720) { p, x in
        p.thread { x.load(.acquiring) }
        for value in 0...4 { p.thread { x.store(value, .releasing) } }
      },
      .init("synthetic/wrc11_fp", 4) { p, x in
        p.thread { x.store(1, .releasing) }
        p.thread {
          x.store(2, .releasing)
          x.load(.acquiring)
          x.load(.acquiring)
        }
      },
      .init("synthetic/publish", 42) { p, x, flag in
        p.thread {
          x.store(42, .releasing)
          flag.store(1, .releasing)
        }
        p.thread {
          var count = 0
          while flag.load(.acquiring) != 1 {
            count += 1
            if count > 40 { return }
          }
          x.load(.acquiring)
        }
      }
      .finds(7, .fairness).finds(5, .fairness, .sc),
      .init("synthetic/SharedPtr", 410) { p, pointer in
        let (x, y) = (p.place(3), p.place(4))
        for (own, target) in [(x, 2), (y, 1)] {
          p.thread {
            pointer.store(target, .releasing)
            for _ in 0..<100 { own.load(.acquiring) }
            let found = pointer.load(.acquiring) == 1 ? x : y
            found.store(found.load(.acquiring) + 3, .releasing)
          }
        }
      }
      .finds(14, .fairness).finds(8, .fairness, .sc),
      .init("synthetic/eratosthenes", 1_512, 398) { p in
        let naturals = p.places(5)
        for _ in 0..<2 {
          p.thread {
            for index in 0..<5 where naturals[index].load(.acquiring) == 0 {
              naturals[index].store(1, .releasing)
              for multiple in stride(from: 2 * index + 2, to: 5, by: index + 2) {
                naturals[multiple].store(2, .releasing)
              }
            }
          }
        }
      }
      .finds(1_202, .modificationOrder),
      .init("synthetic/fib_bench", 525_630, 218_243) { p in
        let (x, y) = (p.place(1), p.place(1))
        for own in [x, y] {
          p.thread {
            for _ in 0..<5 {
              let sum = x.load(.acquiring) + y.load(.acquiring)
              own.store(sum, .releasing)
            }
          }
        }
        p.thread { if x.load(.acquiring) <= 144 { y.load(.acquiring) } }
      },
      .init("synthetic/big0", 82_472, 69_112) { p in
        let (x, y, z, w) = (p.place(), p.place(), p.place(), p.place())
        p.thread { for place in [x, y, z, w, x, y, z] { place.load(.acquiring) } }
        p.thread { for place in [x, y, z] { place.load(.acquiring) } }
        p.thread { for value in 1...3 { for place in [x, y] { place.store(value, .releasing) } } }
        p.thread { for value in 1...3 { for place in [z, w] { place.store(value, .releasing) } } }
      },
      // Updates of which one can't have read what it did: an update replaces the newest value.
      .init("synthetic/wb1", 0) { p, x in
        p.thread {
          x.store(1)
          try assume(x.add(1) == 42)
        }
        p.thread {
          try assume(x.add(42) == 0)
          x.load()
        }
      },
      .init("synthetic/wb2", 1) { p, x in
        p.thread {
          try assume(x.load(.relaxed) == 5)
          x.load(.relaxed)
        }
        p.thread {
          try assume(x.load(.relaxed) == 4)
          x.store(5, .relaxed)
        }
        p.thread {
          x.store(3, .relaxed)
          x.store(4, .relaxed)
        }
        p.thread { try assume(x.add(10, .relaxed) == 3) }
      },
      .init("synthetic/wb3", 1) { p, x in
        p.thread {
          try assume(x.load(.relaxed) == 6)
          x.load(.relaxed)
        }
        p.thread {
          x.store(4, .relaxed)
          x.store(6, .relaxed)
        }
        p.thread {
          x.store(3, .relaxed)
          try assume(x.add(1, .relaxed) == 4)
        }
        p.thread { try assume(x.add(10, .relaxed) == 3) }
      },
      .init("synthetic/wb4", 1) { p, x in
        p.thread { try assume(x.add(1, .relaxed) == 1) }
        p.thread {
          x.store(1, .relaxed)
          try assume(x.add(1, .relaxed) == 10)
          x.load(.relaxed)
        }
        p.thread { x.store(10, .relaxed) }
      },
      .init("synthetic/wb5", 1) { p, x in
        p.thread { try assume(x.add(1, .relaxed) == 0) }
        p.thread {
          try assume(x.add(1, .relaxed) == 10)
          x.load(.relaxed)
        }
        p.thread { x.store(10, .relaxed) }
      },
    ]
  )
}
