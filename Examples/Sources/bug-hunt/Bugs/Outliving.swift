// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// An unstructured task outlives its purpose.
enum Outliving {
  static let bug = Bug(id: "A6", title: "A task that outlives its owner", async: program)

  private final class Monitor: Sendable {
    private let events: AsyncStream<Int>.Continuation
    private let count = Mutex(0)
    private let task = Mutex(Task<Void, Never>?.none)

    init(_ side: Bug.Side, _ living: Living) {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      events = continuation
      living.add(1)
      let new = Task { [weak self] in
        for await _ in stream { self?.count.withLock { $0 += 1 } }
        living.add(-1)
      }
      if side == .fixed { task.withLock { $0 = new } }
      // Other code keeps it too, as publishers do.
      living.keep(continuation)
    }

    deinit { task.withLock { $0 }?.cancel() }

    func send(_ event: Int) { events.yield(event) }
  }

  private final class Living: Sendable {
    private let state = Mutex((count: 0, kept: [AsyncStream<Int>.Continuation]()))
    func add(_ number: Int) { state.withLock { $0.count += number } }
    func keep(_ continuation: AsyncStream<Int>.Continuation) { state.withLock { $0.kept.append(continuation) } }
    var count: Int { state.withLock { $0.count } }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let living = Living()
    do {
      let monitor = Monitor(side, living)
      monitor.send(1)
    }
    // It gets plenty of time to end.
    for _ in 0..<20 where living.count > 0 { await Task.yield() }
    try? await Task.sleep(for: .milliseconds(20))
    return living.count > 0 ? "\(living.count) task goes on" : nil
  }
}
