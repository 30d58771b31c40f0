// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A published race, small: as it was, and mended.
struct Kernel: Sendable {
  let name: String
  /// The repository, with the commit or the issue.
  let source: String
  /// The cause in a few words.
  let cause: String
  /// Sets up one run: what the tasks or threads share, what they do, and what has to hold.
  let setUp: @Sendable (Scene) -> Void

  init(_ name: String, _ source: String, _ cause: String, setUp: @escaping @Sendable (Scene) -> Void) {
    self.name = name
    self.source = source
    self.cause = cause
    self.setUp = setUp
  }

  static let all: [Kernel] =
    lostCancellations + resumedTwice + twoEndings + neverResumed + channelsAndPools + lockInversions + reentrancy
    + staleResults + actorReentrancy + unguarded + descriptorsAndProcesses + permits

  func scene(isMended: Bool) -> Scene {
    let scene = Scene(isMended: isMended)
    setUp(scene)
    return scene
  }

  /// Whether the kernel consists of threads; of tasks otherwise.
  var hasThreads: Bool { !scene(isMended: false).threads.isEmpty }
}

extension Kernel {
  /// Runs the kernel in the orders of the explorer.
  func explored(isMended: Bool, _ search: Search) async -> Exploration {
    if hasThreads {
      return await explore(name, search) { scenario in
        let scene = scene(isMended: isMended)
        for thread in scene.threads { scenario.thread(thread.name) { thread.body() } }
        scenario.atEnd { scene.verdict() }
      }
    }
    return await exploreTasks(name, search) { scenario in
      let scene = scene(isMended: isMended)
      await scene.run()
      let verdict = scene.verdict()
      scenario.check(verdict == nil, verdict ?? "")
    }
  }

  /// Runs the kernel's tasks or threads against each other.
  func raced(rounds: Int, for time: Duration) async -> RaceReport<String> {
    let options = RaceOptions(rounds: rounds, for: time, patience: .seconds(1))
    let isRight = ExpectedOutcome.acceptable("right")
    if hasThreads {
      return await race(
        name,
        options,
        make: { scene(isMended: false) },
        actors: scene(isMended: false).threads.count,
        each: { scene, number in scene.threads[number].body() },
        outcome: { scene, _ in scene.verdict() ?? "right" },
        expect: [isRight]
      )
    }
    return await race(
      name,
      options,
      make: { scene(isMended: false) },
      tasks: scene(isMended: false).tasks.count,
      each: { scene, number in await scene.tasks[number].race() },
      outcome: { scene, _ in scene.verdictAfterAll() ?? "right" },
      expect: [isRight]
    )
  }
}
