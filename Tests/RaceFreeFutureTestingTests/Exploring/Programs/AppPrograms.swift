// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// Programs without a mistake of the kinds that apps are made of.
enum AppPrograms {
  static let all: [AsyncProgram] = [
    AsyncProgram("one token is fetched for many requests that need one") { scenario in
      let session = Session()
      let bodies = await withTaskGroup(of: String.self) { group in
        for path in ["a", "b", "c"] { group.addTask { await session.get(path) } }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      let refreshes = await session.refreshes
      scenario.check(bodies == ["a: 1", "b: 1", "c: 1"] && refreshes == 1, "\(bodies), \(refreshes) times")
    },
    AsyncProgram("a broadcaster's listeners hear all that is sent while they listen") { scenario in
      let station = Broadcaster<Int>()
      let listeners = [await station.subscribe(), await station.subscribe()]
      let heard = listeners.map { stream in Task { await stream.reduce(into: []) { $0.append($1) } } }
      for number in 1...2 { await station.send(number) }
      await station.finish()
      for listener in heard {
        let numbers = await listener.value
        scenario.check(numbers == [1, 2], "\(numbers)")
      }
      let left = await station.count
      scenario.check(left == 0, "\(left) listeners are left")
    },
    AsyncProgram("a listener that goes away is forgotten") { scenario in
      let station = Broadcaster<Int>()
      let stream = await station.subscribe()
      let listener = Task { for await number in stream where number > 9 { return } }
      await station.send(1)
      listener.cancel()
      await listener.value
      await station.send(2)
      scenario.atEnd { station.hasListeners ? "somebody is still registered" : nil }
    },
    AsyncProgram("a bounded channel neither loses nor reorders") { scenario in
      let channel = Channel<Int>(capacity: 1)
      let producer = Task {
        for number in 1...3 { await channel.send(number) }
        await channel.finish()
      }
      var all: [Int] = []
      while let number = await channel.receive() { all.append(number) }
      await producer.value
      scenario.check(all == [1, 2, 3], "\(all)")
    },
    AsyncProgram("readers together, writers alone") { scenario in
      let (lock, readers, writers) = (ReadersWriterLock(), Variable(0), Variable(0))
      scenario.invariant {
        writers.value > 1 || writers.value == 1 && readers.value > 0
          ? "\(writers.value) write and \(readers.value) read" : nil
      }
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            await lock.read {
              readers.value += 1
              await Task.yield()
              readers.value -= 1
            }
          }
        }
        group.addTask {
          await lock.write {
            writers.value += 1
            await Task.yield()
            writers.value -= 1
          }
        }
      }
    },
    AsyncProgram("it tries again after pauses that double, and stops when it is cancelled") { scenario in
      let (clock, attempts) = (scenario.clock, Variable<[Duration]>([]))
      let download = Task {
        try await retrying(4, from: .seconds(1), on: clock) {
          attempts.value.append(clock.now.offset)
          throw Unavailable()
        }
      }
      try await clock.sleep(for: .seconds(5))
      download.cancel()
      _ = await download.result
      scenario.check(attempts.value == [.zero, .seconds(1), .seconds(3)], "\(attempts.value)")
    },
    AsyncProgram("a view model shows what was typed last, after a pause") { scenario in
      let model = SearchModel()
      let index = Server()
      for text in ["s", "sw", "swift"] {
        await model.type(text, index)
        try await Task.sleep(for: .milliseconds(100))
      }
      await model.settled()
      let (results, requests) = await (model.results, index.requests)
      scenario.check(results == ["answer to swift"] && requests == 1, "\(results), \(requests) requests")
    },
    AsyncProgram("a screen that goes away stops its work and keeps nobody alive") { scenario in
      let server = Server()
      do {
        let screen = await Feed(server)
        scenario.expectReleased(screen)
        await screen.appear()
        await Task.yield()
        await screen.disappear()
      }
    },
    AsyncProgram("results come in the order of the requests, two at a time") { scenario in
      let (running, most) = (Variable(0), Variable(0))
      let squares = await mapped([1, 2, 3, 4], atOnce: 2) { number in
        running.value += 1
        most.value = max(most.value, running.value)
        await Task.yield()
        running.value -= 1
        return number * number
      }
      scenario.check(squares == [1, 4, 9, 16] && most.value <= 2, "\(squares), \(most.value) at once")
    },
    AsyncProgram("a pool hands out each connection to one at a time") { scenario in
      let (pool, inUse) = (Pool(["a", "b"]), Variable<[String: Int]>([:]))
      scenario.invariant { inUse.value.values.contains { $0 > 1 } ? "two use one connection" : nil }
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await pool.with { connection in
              inUse.value[connection, default: 0] += 1
              await Task.yield()
              inUse.value[connection, default: 0] -= 1
            }
          }
        }
      }
    },
    AsyncProgram("a promise wakes all who wait, and those who come later") { scenario in
      let promise = Promise<Int>()
      async let early = promise.value
      let fulfilled = Task { [promise.fulfill(7), promise.fulfill(8)] }
      async let late = promise.value
      let (values, firsts) = await ([early, late], fulfilled.value)
      scenario.check(values == [7, 7] && firsts == [true, false], "\(values)")
    },
    AsyncProgram("a server answers each connection, and closes when the last is gone") { scenario in
      let (connections, accept) = AsyncStream<Int>.makeStream()
      let answered = Variable<Set<Int>>([])
      let server = Task {
        await withDiscardingTaskGroup { group in
          for await connection in connections {
            group.addTask {
              await Task.yield()
              answered.value.insert(connection)
            }
          }
        }
      }
      for connection in 1...2 { accept.yield(connection) }
      accept.finish()
      await server.value
      scenario.check(answered.value == [1, 2], "\(answered.value)")
    },
    AsyncProgram("a log that anybody may write to is flushed in order") { scenario in
      let log = Log()
      log.write("a")
      log.write("b")
      let written = await log.flush()
      scenario.check(written == ["a", "b"], "\(written)")
    },
  ]
}
