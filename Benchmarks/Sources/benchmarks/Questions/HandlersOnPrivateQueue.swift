// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

extension Question {
  static var handlersOnPrivateQueue: Question {
    Question(
      name: "handlers on the private queue",
      asks: "What do handlers on the private queue cost, beside a queue made by hand that gets one block?",
      rows: [1, 10, 100, 1000].map { number in
        Row(
          "create, \(number) handler\(number == 1 ? "" : "s"), complete",
          against: "new DispatchQueue, 1 async",
          goal: .times(1.3, plus: 60 * Double(number))
        ) {
          Sides(burst: burst(number), ours: futures(number), peer: queues(number))
        }
        .counted("private-queue-\(number)", pieces: burst(number) * 5, isSteady: false)
      }
    )
  }
}

/// So many futures or queues are made, then the thread waits until the last block of each has run.
private func burst(_ number: Int) -> Int {
  max(1, 200 / number)
}

private func futures(_ number: Int) -> Sides.Side {
  let burst = burst(number)
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst)
        for _ in 0..<burst {
          let future = Future()
          let tally = Tally()
          for index in 1..<number { future.onComplete { tally.add(index) } }
          future.onComplete { latch.arrive() }
          future.complete()
        }
        latch.wait()
      }
    }
  }
}

private func queues(_ number: Int) -> Sides.Side {
  let burst = burst(number)
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst)
        for _ in 0..<burst {
          let queue = DispatchQueue(label: "private")
          queue.async { latch.arrive() }
        }
        latch.wait()
      }
    }
  }
}
