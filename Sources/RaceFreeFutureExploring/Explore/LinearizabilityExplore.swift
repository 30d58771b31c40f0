// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
public import RaceFreeFutureTestingTools

/// Makes several threads call an object at random, in every order of its operations on primitives of ``Explored``, and
/// checks that the answers could have come from calls made one after the other.
///
/// ```swift
/// await linearizabilityExplore(
///   "Counter",
///   make: { Counter() },
///   model: 0,
///   operations: [
///     .init("increment()", { $0.increment() }, model: { $0 += 1; return $0 }),
///     .init("value", { $0.value }, model: { $0 }),
///   ]
/// )
/// ```
///
/// For small objects without locks: it finds what a stress meets once in a million histories, if at all. Each program gives
/// each thread a few calls, drawn from the seed; all orders of each program are run, as by
/// ``explore(_:_:fileID:filePath:line:column:scenario:)``, small programs first. The object has to use the atomics and locks
/// of ``Explored``; a program in which a thread uses none of them is inconclusive.
///
/// - Parameters:
///   - name: The name of the object; it begins the report.
///   - search: The orders to run of each program, and the limits; its seed draws the programs as well.
///   - programs: The number of programs, at least 1.
///   - threads: The number of threads, at least 2.
///   - calls: The maximum number of calls that each thread makes, at least 1. With those of all threads and `finally`
///     there may be 64.
///   - make: Makes an object.
///   - model: The state of a new object: a value that represents it.
///   - operations: The operations that are called.
///   - finally: The operations that are called at the end of each order, one after the other.
/// - Returns: The result: of the program that fails, or of all.
@discardableResult
public func linearizabilityExplore<Subject: Sendable, State: Hashable & Sendable>(
  _ name: String = #function,
  _ search: Search = .exhaustive(maxOrders: 1_000),
  programs: Int = 20,
  threads: Int = 2,
  calls: Int = 2,
  make: @escaping @Sendable () -> Subject,
  model: State,
  operations: [ModelledOperation<Subject, State>],
  finally: [ModelledOperation<Subject, State>] = [],
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> Exploration {
  precondition(programs > 0, "an exploration of \(programs) programs tests nothing")
  precondition(threads > 1, "calls of one thread don't overlap: two threads are needed")
  precondition(calls > 0 && threads * calls + finally.count <= 64, "a history has from 1 to 64 calls")
  precondition(!operations.isEmpty, "there has to be an operation to call")
  let list = OperationList(initialState: model, list: operations + finally)
  let objects = ExploredObjects(make: make, list, finally.count)
  var generator = SeededGenerator(seed: chosenSeed(search.seed))
  let drawn = objects.draw(programs, threads: threads, calls: calls, &generator)
  var reports: [Exploration] = []
  for (number, program) in drawn.enumerated() {
    let report = await Explorer("\(title(name)), program \(number + 1)", search, .steps { objects.fill($0, program) })
      .run()
    reports.append(report)
    if report.verdict == .failed { break }
  }
  let report = Exploration(of: reports, title(name))
  report.record(at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return report
}

/// The objects of an exploration, and what is called.
private struct ExploredObjects<Subject: Sendable, State: Hashable & Sendable>: Sendable {
  typealias List = OperationList<Subject, State>
  typealias Program = [[List.Operation]]

  let make: @Sendable () -> Subject
  let list: List
  let finalCount: Int

  init(make: @escaping @Sendable () -> Subject, _ list: List, _ finalCount: Int) {
    (self.make, self.list, self.finalCount) = (make, list, finalCount)
  }

  /// Draws different programs, those with few calls first.
  func draw(_ count: Int, threads: Int, calls: Int, _ generator: inout SeededGenerator) -> [Program] {
    let operations = list.operations.dropLast(finalCount)
    var programs: [Program] = []
    // There may be fewer than are wanted.
    for round in 0..<(count * 10) where programs.count < count {
      let most = 1 + round * calls / (count * 10)
      let program: Program = (0..<threads).map { _ in
        (0..<Int.random(in: 1...most, using: &generator)).compactMap { _ in operations.randomElement(using: &generator)
        }
      }
      if !programs.contains(program) { programs.append(program) }
    }
    return programs
  }

  func fill(_ scenario: Scenario, _ program: Program) {
    let (subject, list) = (make(), list)
    let recorder = Recorder<List.Operation, SomeAnswer>(threads: program.count + 1)
    for (thread, calls) in program.enumerated() {
      scenario.thread("T\(thread)") {
        for operation in calls { recorder.call(operation, on: thread) { list.call(subject, operation) } }
      }
    }
    scenario.atEnd {
      for operation in list.operations.suffix(finalCount) {
        recorder.call(operation, on: program.count) { list.call(subject, operation) }
      }
      let history = recorder.history
      return switch history.verdict(against: list) {
      case .linearizable: nil
      case .undecided: "the search for an order of the calls was given up: take fewer threads or calls"
      case .notLinearizable:
        "no order of the calls gives these answers: "
          + history.calls.map { call in
            "\(call.thread < program.count ? "T\(call.thread)" : "finally"): \(call)"
          }.joined(separator: ", ")
      }
    }
  }
}

extension Exploration {
  /// Adds the results of several programs of one object: the last of them is the one that failed, if any has.
  fileprivate init(of reports: [Exploration], _ name: String) {
    let orders = reports.reduce(0) { $0 + $1.orders }
    let last = reports.last { $0.verdict == .failed }
    let inconclusive = reports.first { $0.verdict == .inconclusive }
    let isComplete = last == nil && reports.allSatisfy(\.isComplete)
    let all = isComplete ? "all orders of each" : "not all orders of each"
    let passed =
      "explore \"\(name)\" passed: \(times(reports.count, "program")), \(times(orders, "order")), \(all), of at most "
      + times(reports.map(\.steps).max() ?? 0, "step")
    self.init(
      name: name,
      failure: last?.failure,
      orders: orders,
      isComplete: isComplete,
      order: last?.order,
      steps: last?.steps ?? reports.map(\.steps).max() ?? 0,
      uncontrolled: reports.lazy.compactMap(\.uncontrolled).first,
      hasPoints: reports.allSatisfy(\.hasPoints),
      isConclusive: reports.allSatisfy(\.isConclusive),
      description: last?.description ?? inconclusive?.description ?? passed,
      picture: last?.picture
    )
  }
}
