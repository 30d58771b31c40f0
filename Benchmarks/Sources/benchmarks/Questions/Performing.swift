// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

extension Question {
  static var performing: Question {
    Question(
      name: "performing",
      asks: "What does a stable look at a future cost, beside a bare trip to a serial queue?",
      rows: [
        Row("performAndWait", against: "queue.sync") {
          Sides(ours: performAndWait(), peer: sync())
        }
        .counted("perform-and-wait"),
        Row("unlessCancelledAndWait", against: "queue.sync") {
          Sides(ours: unlessCancelledAndWait(), peer: sync())
        }
        .counted("unless-cancelled-and-wait"),
        Row("perform", against: "queue.async") {
          Sides(burst: burst, ours: perform(), peer: async())
        },
        Row("unlessCancelled", against: "queue.async") {
          Sides(burst: burst, ours: unlessCancelled(), peer: async())
        },
        Row("unlessCancelled, but it was", against: "queue.async") {
          Sides(burst: burst, ours: unlessCancelledInVain(), peer: async())
        },
      ]
    )
  }
}

/// So many blocks are enqueued, then the thread waits until they have run.
private let burst = 1000

private func performAndWait() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    timed {
      for index in 0..<count {
        future.performAndWait {
          if future.isPending { tally.add(index) }
        }
      }
    }
  }
}

private func unlessCancelledAndWait() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    timed {
      for index in 0..<count {
        future.unlessCancelledAndWait { tally.add(index) }
      }
    }
  }
}

private func sync() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "bare")
  return { count in
    timed {
      for index in 0..<count {
        queue.sync { tally.add(index) }
      }
    }
  }
}

private func perform() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst {
          future.perform {
            if future.isPending { tally.add(index) }
          }
        }
        future.performAndWait {}
      }
    }
  }
}

private func unlessCancelled() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst { future.unlessCancelled { tally.add(index) } }
        future.performAndWait {}
      }
    }
  }
}

private func unlessCancelledInVain() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  future.cancel()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst { future.unlessCancelled { tally.add(index) } }
        future.performAndWait {}
      }
    }
  }
}

private func async() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "bare")
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst {
          queue.async { tally.add(index) }
        }
        queue.sync {}
      }
    }
  }
}
