// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct LinearizabilityStressTests {
  // MARK: Objects that are right

  @Test(arguments: 2...3) func `an atomic counter passes`(threads: Int) async throws {
    _ = await counterStress(threads: threads, { AtomicCounter() }, { $0.increment() }, { $0.value })
  }

  @Test func `a one-shot cell passes`() async throws {
    _ = await cellStress({ OneShotCell() }, { $0.fill($1) }, { $0.value })
  }

  @Test func `a plain atomic variable passes, whatever its memory order`() async throws {
    _ = await registerStress({ Register() }, { $0.write($1) }, { $0.read() })
  }

  @Test func `a queue with a lock passes`() async throws { _ = await queueStress(.none) }

  // MARK: Seeded faults, each looked for until it is found

  /// For a tool that doesn't find it: some thousand are enough, on a busy machine some ten thousand.
  private static let enough = 5_000_000

  @Test(.withoutRecording) func `a counter that loads and then stores is found`() async {
    await expectCounterexample {
      await counterStress(histories: Self.enough, { LoadThenStoreCounter() }, { $0.increment() }, { $0.value })
    }
  }

  @Test(.withoutRecording) func `a counter that loads and then stores is found by what is left in the end`() async {
    // If one of six is lost, none of the six can be left out: with five, the value would be right.
    let report = await expectCounterexample(calls: 7) {
      await linearizabilityStress(
        "LoadThenStoreCounter",
        histories: Self.enough,
        make: { LoadThenStoreCounter() },
        model: 0,
        operations: [.init("increment()", { _ = $0.increment() }, model: { $0 += 1 })],
        finally: [.init("value", { $0.value }, model: { $0 })]
      )
    }
    #expect(report?.counterexample?.calls.last?.operation == "value")
  }

  @Test(.withoutRecording) func `a cell that looks and then fills is found`() async {
    await expectCounterexample {
      await cellStress(histories: Self.enough, { CheckThenActCell() }, { $0.fill($1) }, { $0.value })
    }
  }

  @Test(.withoutRecording) func `a register with a stale read is found`() async {
    await expectCounterexample {
      await registerStress(histories: Self.enough, { StaleRegister() }, { $0.write($1) }, { $0.read() })
    }
  }

  @Test(.withoutRecording, arguments: FaultyQueue.Fault.wrong)
  func `a queue that is not a queue is found`(fault: FaultyQueue.Fault) async {
    await expectCounterexample { await queueStress(histories: Self.enough, fault) }
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

  @Test(.withoutRecording) func `a call that doesn't return ends the stress, and is named`() async {
    var report: LinearizabilityReport?
    // A thread that merely gets no time from a busy machine isn't in a call yet: then once more.
    for _ in 0..<50 where report?.description.contains("T1  is in lock()") != true {
      let gate = Gate("the report is there", deadline: .seconds(3_600))
      report = await linearizabilityStress(
        "Lock",
        patience: .milliseconds(50),
        make: { Atomic0() },
        model: 0,
        operations: [.init("lock()", { _ in gate.wait() }, model: { _ in })]
      )
      gate.open()
    }
    #expect(report?.passed == false)
    #expect(report?.description.contains("FAILED  a call to Lock doesn't return") == true)
    #expect(report?.description.contains("T1  is in lock()") == true, "\(String(describing: report))")
    #if os(Linux)
      #expect(report?.description.contains(", and waits to be woken") == true, "\(String(describing: report))")
    #endif
  }

  @Test(.withoutRecording) func `an object that can't be made ends the stress, too`() async {
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

/// Expects a stress to fail, with no more calls to show than that.
///
/// To find a failure of few calls the stress runs shorter programs for a while; on a busy machine their threads may not
/// meet in that time. So it is run again, until it has found one.
@discardableResult
private func expectCounterexample(
  calls: Int = 5,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ stress: () async -> LinearizabilityReport
) async -> LinearizabilityReport? {
  var report: LinearizabilityReport?
  for _ in 0..<100 where report.map({ ($0.counterexample?.calls.count ?? 0) > calls }) ?? true {
    let found = await stress()
    report = found
    #expect(!found.passed && found.counterexample != nil, "\(found)", sourceLocation: sourceLocation)
    let lines = found.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.count <= 60 && lines.dropLast().allSatisfy { $0.count <= 110 },
      "\(found)",
      sourceLocation: sourceLocation
    )
  }
  #expect(
    (report?.counterexample?.calls.count ?? 0) <= calls,
    "\(String(describing: report))",
    sourceLocation: sourceLocation
  )
  return report
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
