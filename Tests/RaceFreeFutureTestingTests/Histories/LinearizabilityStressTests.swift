// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct LinearizabilityStressTests {
  // MARK: Objects that are right

  @Test(arguments: 2...3) func `an atomic counter passes`(threads: Int) async throws {
    try await counterStress(threads: threads, { AtomicCounter() }, { $0.increment() }, { $0.value }).verify()
  }

  @Test func `a one-shot cell passes`() async throws {
    try await cellStress({ OneShotCell() }, { $0.fill($1) }, { $0.value }).verify()
  }

  @Test func `a plain atomic variable passes, whatever its memory order`() async throws {
    try await registerStress({ Register() }, { $0.write($1) }, { $0.read() }).verify()
  }

  @Test func `a queue with a lock passes`() async throws { try await queueStress(.none).verify() }

  // MARK: Seeded faults, each to be found within the stated number of histories

  private static let enough = 50_000

  @Test func `a counter that loads and then stores is found`() async {
    let report = await counterStress(
      histories: Self.enough,
      { LoadThenStoreCounter() },
      { $0.increment() },
      { $0.value }
    )
    expectCounterexample(report)
  }

  @Test func `a counter that loads and then stores is found by what is left in the end`() async {
    let report = await linearizabilityStress(
      "LoadThenStoreCounter",
      histories: Self.enough,
      make: { LoadThenStoreCounter() },
      model: 0,
      operations: [.init("increment()", { _ = $0.increment() }, model: { $0 += 1 })],
      finally: [.init("value", { $0.value }, model: { $0 })]
    )
    // If one of six is lost, none of the six can be left out: with five, the value would be right.
    expectCounterexample(report, calls: 7)
    #expect(report.counterexample?.calls.last?.operation == "value")
  }

  @Test func `a cell that looks and then fills is found`() async {
    let report = await cellStress(histories: Self.enough, { CheckThenActCell() }, { $0.fill($1) }, { $0.value })
    expectCounterexample(report)
  }

  @Test func `a register with a stale read is found`() async {
    let report = await registerStress(histories: Self.enough, { StaleRegister() }, { $0.write($1) }, { $0.read() })
    expectCounterexample(report)
  }

  @Test(arguments: FaultyQueue.Fault.wrong)
  func `a queue that is not a queue is found`(fault: FaultyQueue.Fault) async {
    expectCounterexample(await queueStress(histories: Self.enough, fault))
  }

  // MARK: Control

  @Test func `the same seed gives the same programs`() async {
    let programs = EventLog<[[String]]>()
    for seed in [7, 7, 8] as [UInt64] {
      let made = EventLog<EventLog<String>>()
      let report = await linearizabilityStress(
        "log",
        histories: 200,
        seed: seed,
        make: {
          let log = EventLog<String>()
          made.add(log)
          return log
        },
        model: 0,
        operations: ["a", "b", "c"].map { name in .init(name, { $0.add(name) }, model: { _ in }) }
      )
      #expect(report.seed == seed)
      // More than were asked for, if the threads haven't met by then.
      programs.add(made.events.prefix(200).map { $0.events.sorted() })
    }
    // Long texts stay out of the report.
    let areTheSame = programs.events[0] == programs.events[1]
    let areOthers = programs.events[0] != programs.events[2]
    #expect(areTheSame)
    #expect(areOthers)
  }

  @Test func `a call that doesn't return ends the stress, and is named`() async {
    let gate = Gate("the report is there")
    let report = await linearizabilityStress(
      "Lock",
      patience: .milliseconds(50),
      make: { Atomic0() },
      model: 0,
      operations: [.init("lock()", { _ in gate.wait() }, model: { _ in })]
    )
    gate.open()
    #expect(!report.passed)
    #expect(report.description.contains("FAILED  a call to Lock doesn't return"))
    #expect(report.description.contains("T1  is in lock()"), "\(report)")
  }

  @Test func `an object that can't be made ends the stress, too`() async {
    let gate = Gate("the report is there")
    let report = await linearizabilityStress(
      "Lock",
      patience: .milliseconds(50),
      make: { () -> Atomic0 in
        gate.wait()
        return Atomic0()
      },
      model: 0,
      operations: [.init("lock()", { _ in }, model: { _ in })]
    )
    gate.open()
    #expect(!report.passed)
    #expect(report.description.contains("The test makes an object."), "\(report)")
  }

  private final class Atomic0: Sendable {}
}

// MARK: - Models

private func expectCounterexample(
  _ report: LinearizabilityReport,
  calls: Int = 5,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(!report.passed && report.counterexample != nil, "\(report)", sourceLocation: sourceLocation)
  let lines = report.description.split(separator: "\n", omittingEmptySubsequences: false)
  #expect(
    lines.count <= 60 && lines.dropLast().allSatisfy { $0.count <= 110 },
    "\(report)",
    sourceLocation: sourceLocation
  )
  #expect((report.counterexample?.calls.count ?? 0) <= calls, "\(report)", sourceLocation: sourceLocation)
}

private func counterStress<Counter: Sendable>(
  histories: Int = iterations(2_000),
  threads: Int = 2,
  _ make: @escaping @Sendable () -> Counter,
  _ increment: @escaping @Sendable (Counter) -> Int,
  _ value: @escaping @Sendable (Counter) -> Int
) async -> LinearizabilityReport {
  await linearizabilityStress(
    "\(Counter.self)",
    histories: histories,
    threads: threads,
    make: make,
    model: 0,
    operations: [
      .init("increment()", increment) { count in
        count += 1
        return count
      },
      .init("value", value) { $0 },
    ]
  )
}

private func cellStress<Cell: Sendable>(
  histories: Int = iterations(2_000),
  _ make: @escaping @Sendable () -> Cell,
  _ fill: @escaping @Sendable (Cell, Int) -> Bool,
  _ value: @escaping @Sendable (Cell) -> Int
) async -> LinearizabilityReport {
  await linearizabilityStress(
    "\(Cell.self)",
    histories: histories,
    make: make,
    model: 0,
    operations: [
      .init("fill(1)", { fill($0, 1) }, model: { filled(&$0, 1) }),
      .init("fill(2)", { fill($0, 2) }, model: { filled(&$0, 2) }),
      .init("value", value) { $0 },
    ]
  )
}

private func filled(_ content: inout Int, _ value: Int) -> Bool {
  if content != 0 { return false }
  content = value
  return true
}

/// With an enumeration of the operations and a model of its own.
private func registerStress<Register: Sendable>(
  histories: Int = iterations(2_000),
  _ make: @escaping @Sendable () -> Register,
  _ write: @escaping @Sendable (Register, Int) -> Void,
  _ read: @escaping @Sendable (Register) -> Int
) async -> LinearizabilityReport {
  await linearizabilityStress(
    "\(Register.self)",
    histories: histories,
    make: make,
    model: SequentialImplementation(0) { (value: inout Int, operation: RegisterOperation) -> Int? in
      guard case .write(let new) = operation else { return value }
      value = new
      return nil
    },
    operations: [.write(1), .write(2), .read]
  ) { register, operation in
    guard case .write(let new) = operation else { return read(register) }
    write(register, new)
    return nil
  }
}

private func queueStress(
  histories: Int = iterations(2_000),
  _ fault: FaultyQueue.Fault
) async -> LinearizabilityReport {
  await linearizabilityStress(
    "FaultyQueue, \(fault)",
    histories: histories,
    make: { FaultyQueue(fault) },
    model: [Int](),
    operations: (1...3).map { item in .init("add(\(item))", { $0.add(item) }, model: { $0.append(item) }) } + [
      .init("take()", { $0.take() }, model: { $0.isEmpty ? nil : $0.removeFirst() }),
      .init("take()", { $0.take() }, model: { $0.isEmpty ? nil : $0.removeFirst() }),
      .init("count", { $0.count }, model: { $0.count }),
      .init("clear()", { $0.clear() }, model: { $0 = [] }),
    ]
  )
}
