// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Program {
  /// Queues, stacks and locks with nodes.
  static let nodes: [Program] = [
    .init("data-structures/barrier", 2) { p, waiting, step, shared in
      func wait() throws {
        let before = step.load()
        if waiting.add(1) == 1 {
          waiting.store(0)
          step.add(1)
        } else {
          try assume(step.load() != before)
        }
      }
      p.thread {
        shared.store(42, .relaxed)
        try wait()
      }
      p.thread {
        try wait()
        shared.load(.relaxed)
      }
    },
    .init("data-structures/twalock", 4) { p, ticket, grant, shared in
      let slots = p.places(4)
      for thread in 0..<2 {
        p.thread {
          let own = ticket.add(1, .relaxed)
          if grant.load(.acquiring) != own { try assume(grant.load(.acquiring) == own) }
          shared.store(thread, .relaxed)
          shared.load(.relaxed)
          let next = grant.load(.relaxed) + 1
          grant.store(next, .releasing)
          slots[next + 1].add(1, .releasing)
        }
      }
    },
    .init("data-structures/mcs_spinlock", 6) { p, shared in
      // The last in the queue: the number of a node, or 0.
      let last = p.word()
      let nodes = (0...2).map { _ in (next: p.place(), isLocked: p.place()) }
      for own in 1...2 {
        p.thread {
          nodes[own].isLocked.store(0, .relaxed)
          nodes[own].next.store(0, .relaxed)
          let previous = last.exchange(own, .acquiringAndReleasing)
          if previous != 0 {
            nodes[previous].next.store(own, .relaxed)
            try assume(nodes[own].isLocked.load(.acquiring) == 1)
          }
          shared.store(42, .relaxed)
          var next = nodes[own].next.load(.relaxed)
          if next == 0 {
            if last.replace(own, by: 0, .releasing).isDone { return }
            next = nodes[own].next.load(.relaxed)
            try assume(next != 0)
          }
          nodes[next].isLocked.store(1, .releasing)
        }
      }
    },
    .init("data-structures/treiber-stack", 18) { p in
      // A node and a count of changes, so that no value comes back.
      let top = p.word()
      let next = p.places(3)
      let stored = p.places(3)
      func push(_ node: Int) {
        while true {
          let old = top.load(.acquiring)
          next[node].store(old, .relaxed)
          if top.replace(old, by: (old / 10 + 1) * 10 + node, .releasing).isDone { return }
        }
      }
      func pop() throws -> Int {
        let old = top.load(.acquiring)
        if old % 10 == 0 { return 0 }
        let new = next[old % 10].load(.relaxed) % 10
        try assume(top.replace(old, by: (old / 10 + 1) * 10 + new, .releasing).isDone)
        return old % 10
      }
      for node in 1...2 {
        p.thread {
          stored[node].store(42, .relaxed)
          push(node)
        }
      }
      // The value of the first node is 0, which the test takes for nothing.
      p.thread { if try pop() == 2 { stored[2].load(.relaxed) } }
    },
    .init("data-structures/chase-lev", 65, 59) { p, bottom in
      let top = p.word()
      let buffer = p.places(10)
      func push(_ value: Int) {
        let end = bottom.load(.relaxed)
        if end - top.load(.acquiring) >= 10 { return }
        buffer[end % 10].store(value, .relaxed)
        bottom.store(end + 1, .releasing)
      }
      func pop() {
        let end = bottom.load(.relaxed)
        bottom.store(end - 1, .relaxed)
        p.fence()
        let begin = top.load(.relaxed)
        let count = end - begin
        if count <= 0 { return bottom.store(end, .relaxed) }
        buffer[(end - 1) % 10].load(.relaxed)
        if count > 1 { return }
        top.replace(begin, by: begin + 1, .acquiringAndReleasing)
        bottom.store(end, .relaxed)
      }
      func steal() {
        let begin = top.load(.relaxed)
        p.fence()
        if bottom.load(.acquiring) - begin <= 0 { return }
        buffer[begin % 10].load(.relaxed)
        top.replace(begin, by: begin + 1, .releasing)
      }
      p.thread {
        for value in 1...5 { push(value) }
        for _ in 1...3 { pop() }
        for value in 6...7 { push(value) }
      }
      p.thread { steal() }
    },
  ]
}
