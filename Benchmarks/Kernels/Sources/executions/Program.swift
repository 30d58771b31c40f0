// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@_spi(Drawing) import RaceFreeFutureTesting
import Synchronization

/// A program of GenMC's suite, with the number of its executions there.
struct Program: Sendable {
  /// The folder, the name, and the parameter if there are several.
  let name: String
  let rc11: Int
  /// nil: it is only counted under RC11.
  var sc: Int?
  /// What is known to differ, by model.
  var known: [Model: Difference] = [:]
  let body: @Sendable (Threads) -> Void

  /// A number of executions that isn't GenMC's, and why.
  struct Difference: Sendable {
    let executions: Int
    let reason: Reason
  }

  init(_ name: String, _ rc11: Int, _ sc: Int? = nil, _ body: @escaping @Sendable (Threads) -> Void) {
    (self.name, self.rc11, self.sc, self.body) = (name, rc11, sc ?? rc11, body)
  }

  /// A program with one atomic.
  init(_ name: String, _ rc11: Int, _ sc: Int? = nil, _ body: @escaping @Sendable (Threads, Place) -> Void) {
    self.init(name, rc11, sc) { body($0, $0.place()) }
  }

  /// A program with two atomics.
  init(_ name: String, _ rc11: Int, _ sc: Int? = nil, _ body: @escaping @Sendable (Threads, Place, Place) -> Void) {
    self.init(name, rc11, sc) { body($0, $0.place(), $0.place()) }
  }

  /// A program with three atomics.
  init(
    _ name: String,
    _ rc11: Int,
    _ sc: Int? = nil,
    _ body: @escaping @Sendable (Threads, Place, Place, Place) -> Void
  ) {
    self.init(name, rc11, sc) { body($0, $0.place(), $0.place(), $0.place()) }
  }

  /// Returns the number of executions under a model; nil if there is none.
  func expected(_ model: Model) -> Int? { model == .rc11 ? rc11 : sc }

  /// The program, of which no number under sequential consistency is published.
  var onlyRC11: Program {
    var program = self
    program.sc = nil
    return program
  }

  /// Returns the program with what is known to differ.
  func finds(_ executions: Int, _ reason: Reason, _ model: Model = .rc11) -> Program {
    var program = self
    program.known[model] = Difference(executions: executions, reason: reason)
    return program
  }
}

extension Program {
  /// Programs with a parameter, which is the number of their threads, mostly.
  static func family(
    _ name: String,
    _ parameters: [Int],
    _ rc11: [Int],
    _ sc: [Int]? = nil,
    _ body: @escaping @Sendable (Int, Threads) -> Void
  ) -> [Program] {
    parameters.indices.map { index in
      let parameter = parameters[index]
      return Program("\(name)(\(parameter))", rc11[index], sc?[index]) { (p: Threads) in body(parameter, p) }
    }
  }

  static func joined(_ programs: [Program]...) -> [Program] { programs.flatMap { $0 } }
}

/// What was counted.
struct Count: Sendable {
  /// The check sums of the graphs.
  var executions: Set<Int> = []
  /// The number of orders that were run, with those in which an assumption didn't hold.
  var orders = 0
  var isComplete = false
  /// True if two stores of the same value couldn't be told apart.
  var isAmbiguous = false
  /// What went wrong; nil: nothing.
  var failure: String?
}

extension Program {
  /// Counts the executions under a model.
  func count(_ model: Model, for duration: Duration) async -> Count {
    let count = Mutex(Count())
    let body = body
    var search = Search.exhaustive(maxOrders: 5_000_000, for: duration, maxSteps: 5_000, seed: 1)
    // None is drawn at random, so that none is counted twice.
    search.ways = []
    let report = await explore("\(name), \(model.rawValue)", search) { scenario in
      let threads = Threads(scenario, model)
      body(threads)
      let graph = threads.graph
      scenario.atEnd {
        count.withLock { count in
          guard !graph.isBlocked else { return }
          count.executions.insert(graph.checkSum)
          if graph.isAmbiguous { count.isAmbiguous = true }
        }
        return nil
      }
    }
    return count.withLock { count in
      (count.orders, count.isComplete, count.failure) = (report.orders, report.isComplete, report.failure)
      return count
    }
  }
}
