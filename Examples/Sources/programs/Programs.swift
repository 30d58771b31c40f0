// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import RaceFreeFuture
import Synchronization

/// The command `programs`.
@main
struct Programs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs four small programs whose calls are cancelled at random, and checks what each promises.",
    discussion: """
      Each round is a program with 16 calls. A call is answered once; no limit is exceeded; nothing is left at the end.

      EXIT STATUS: 0 if all promises were kept, 1 if not, 64 for invalid arguments
      """
  )

  @Option(help: "The number of rounds of each program.")
  var stress = 100

  func validate() throws {
    guard (1...1_000_000).contains(stress) else { throw ValidationError("--stress is a number from 1 to 1000000") }
  }

  func run() async throws {
    var isCorrect = true
    for (name, limit, round) in Self.rounds {
      var total = Tally()
      for _ in 0..<stress { try await total.add(round()) }
      print("\(name): \(total.words), at most \(total.mostRunning) at once (limit \(limit))")
      isCorrect = isCorrect && total.isCorrect && total.mostRunning <= limit
    }
    // Threads may still be on their way out of a callback.
    for _ in 0..<1_000 where Surroundings.Content.live.load(ordering: .relaxed) > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    let left = Surroundings.Content.live.load(ordering: .relaxed)
    print("\(left) results are left")
    if !isCorrect || left > 0 { throw ExitCode.failure }
  }

  private static let names = (0..<16).map { "\($0 % 5)" }

  private static let rounds: [(name: String, limit: Int, round: @Sendable () async throws -> Tally)] = [
    (
      "image loader", 4,
      {
        let server = Surroundings()
        let loader = ImageLoader { try await server.load($0) }
        let calls = Calls()
        for name in names { calls.add(loader.image(name)) }
        _ = try await loader.images(["0", "1", "5"], within: .milliseconds(5))
        try await loader.close()
        return await calls.end(server)
      }
    ),
    (
      "socket client", 2,
      {
        let socket = Surroundings()
        let client = SocketClient { name, callback in
          let question = socket.ask(name, whenDone: callback)
          return { question.stop() }
        }
        let calls = Calls()
        for name in names {
          let answer = calls.begin()
          calls.mayCancel(client.ask(name, within: .milliseconds(.random(in: 1...50)), whenDone: { _ in answer() }))
        }
        await Task.yield()
        try await client.close()
        return await calls.end(socket, sharing: false)
      }
    ),
    (
      "job worker", 3,
      {
        let worker = JobWorker(Surroundings())
        let calls = Calls()
        for (number, name) in names.enumerated() { calls.add(worker.add("\(name)-\(number)", steps: 3)) }
        _ = worker.status
        try await worker.stop()
        return await calls.end(worker.database)
      }
    ),
    (
      "old app", 2,
      {
        let app = OldApp(Surroundings())
        let calls = Calls()
        for name in names.prefix(8) {
          calls.add(app.open(name))
          calls.add(app.load(name))
        }
        await Task.yield()
        try await app.close()
        return await calls.end(app.library, sharing: false)
      }
    ),
  ]
}

/// What became of the calls.
struct Tally {
  var calls = 0, unanswered = 0, answeredTwice = 0, doubled = 0, wronglyWritten = 0, running = 0, mostRunning = 0

  var isCorrect: Bool { unanswered + answeredTwice + doubled + wronglyWritten + running == 0 }

  var words: String {
    """
    \(calls) calls, \(unanswered) unanswered, \(answeredTwice) answered twice, \(doubled) doubled, \
    \(wronglyWritten) wrongly written, \(running) still running
    """
  }

  mutating func add(_ other: Tally) {
    calls += other.calls
    unanswered += other.unanswered
    answeredTwice += other.answeredTwice
    doubled += other.doubled
    wronglyWritten += other.wronglyWritten
    running += other.running
    mostRunning = max(mostRunning, other.mostRunning)
  }
}

/// Calls of which some are cancelled at some time, and whose answers are counted.
final class Calls: Sendable {
  private let answers = Mutex<[Int]>([])
  private let cancellations = Scope(label: "cancellations")

  /// Returns what the answer of a new call calls.
  func begin() -> @Sendable () -> Void {
    let number = answers.withLock { answers in
      answers.append(0)
      return answers.count - 1
    }
    return { [self] in answers.withLock { $0[number] += 1 } }
  }

  func add<Value>(_ call: ValueFuture<Value>) {
    let answer = begin()
    call.onEnd { _ in answer() }
    mayCancel(call.cancelToken)
  }

  func mayCancel(_ call: CancelToken) {
    guard Int.random(in: 0..<3) == 0 else { return }
    let pauses = Int.random(in: 0..<10)
    cancellations.addTask {
      for _ in 0..<pauses { await Task.yield() }
      call.cancel()
      await call.drain()
    }
  }

  /// Waits for the answers, and counts.
  func end(_ surroundings: Surroundings, sharing: Bool = true) async -> Tally {
    await cancellations.drain()
    // Each program has been closed: what hasn't been answered soon never will be.
    for _ in 0..<10_000 where answers.withLock({ $0.contains(0) }) || surroundings.counts.running > 0 {
      try? await Task.sleep(for: .milliseconds(1))
    }
    let (answers, counts) = (answers.withLock { $0 }, surroundings.counts)
    return Tally(
      calls: answers.count,
      unanswered: answers.count { $0 == 0 },
      answeredTwice: answers.count { $0 > 1 },
      doubled: sharing ? counts.doubled : 0,
      wronglyWritten: counts.writes.values.count { $0 > 1 } + counts.writesAfterClose,
      running: counts.running,
      mostRunning: counts.mostRunning
    )
  }
}
