// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Synchronization

extension Hunt {
  static let operations = [
    Hunt(
      name: "operations.serial",
      package: "Foundation",
      type: "`OperationQueue`",
      property: "With a width of one, operations from two threads never overlap, and all run",
      tool: "race"
    ) {
      Catch(
        await race(
          "two threads add operations",
          .init(for: .seconds(10)),
          make: { SerialSubject() },
          actors: { $0.add() },
          { $0.add() },
          outcome: { subject, _, _ in
            subject.queue.waitUntilAllOperationsAreFinished()
            return Outcomes(subject.runs.load(ordering: .relaxed), subject.overlaps.load(ordering: .relaxed))
          },
          expect: [.acceptable((4, 0), "all ran, one after the other")]
        )
      )
    },
    Hunt(
      name: "operations.cancel",
      package: "Foundation",
      type: "`OperationQueue`",
      property: "An operation that is cancelled while it is added ends, and its completion block runs once",
      tool: "race"
    ) {
      Catch(
        await race(
          "addOperation against cancel",
          .init(for: .seconds(10)),
          make: { CancelSubject() },
          actors: { $0.queue.addOperation($0.operation) },
          { $0.operation.cancel() },
          outcome: { subject, _, _ in subject.ending() },
          expect: [.acceptable("finished, 1 block")]
        )
      )
    },
    Hunt(
      name: "operations.dependency",
      package: "Foundation",
      type: "`Operation`",
      property: "An operation waits for a dependency, however both are added",
      tool: "race",
      known: ["a call didn't return"],
      remark:
        "`waitUntilAllOperationsAreFinished()` waits forever; `platform lost-dependent` shows it without a tool. No report found."
    ) {
      Catch(
        await race(
          "an operation and its dependency are added",
          .init(for: .seconds(10)),
          make: { DependencySubject() },
          actors: { $0.queue.addOperation($0.first) },
          { $0.queue.addOperation($0.second) },
          outcome: { subject, _, _ in
            subject.queue.waitUntilAllOperationsAreFinished()
            return subject.order.events
          },
          expect: [.acceptable([1, 2])]
        )
      )
    },
    Hunt(
      name: "progress.handler",
      package: "Foundation",
      type: "`Progress`",
      property: "A cancellation handler that is set during the cancellation is called once",
      tool: "race",
      known: ["it was called twice", "the program died"],
      remark:
        "Setting it and cancelling aren't guarded against each other; in other runs the program died. No report found."
    ) {
      Catch(
        await race(
          "cancellationHandler against cancel",
          .init(for: .seconds(10)),
          make: { ProgressSubject() },
          actors: { subject in
            subject.progress.cancellationHandler = {
              subject.calls.add(1, ordering: .relaxed)
              subject.called.signal()
            }
          },
          { $0.progress.cancel() },
          outcome: { subject, _, _ in
            // It is called on a queue. What would come later is seen only if it comes within a moment.
            if subject.called.wait(timeout: .now() + .seconds(2)) == .timedOut { return 0 }
            _ = subject.called.wait(timeout: .now() + .milliseconds(1))
            return subject.calls.load(ordering: .relaxed)
          },
          expect: [
            .acceptable(1, "it was called"), .forbidden(0, "it was never called"), .forbidden(2, "it was called twice"),
          ]
        )
      )
    },
    Hunt(
      name: "process.terminate",
      package: "Foundation",
      type: "`Process`",
      property: "A process that is told to terminate while it ends tells of its end once",
      tool: "race"
    ) {
      Catch(
        await race(
          "terminate against the end",
          .init(for: .seconds(10)),
          make: { ProcessSubject() },
          actors: { $0.process.terminate() },
          { $0.process.isRunning },
          outcome: { subject, _, _ in
            if subject.ended.wait(timeout: .now() + .seconds(5)) == .timedOut { return 0 }
            _ = subject.ended.wait(timeout: .now() + .milliseconds(1))
            return subject.calls.load(ordering: .relaxed)
          },
          expect: [.acceptable(1), .forbidden(0, "no word of the end"), .forbidden(2, "told twice")]
        )
      )
    },
  ]
}

// The counters of all subjects are relaxed: they are read behind a wait for whatever counts. `OperationQueue`,
// `Operation`, `Progress` and `Process` are documented to be usable from several threads, or used from one at a time.

private final class SerialSubject: @unchecked Sendable {
  let queue = OperationQueue()
  let runs = Atomic(0)
  let overlaps = Atomic(0)
  private let inside = Atomic(0)

  init() { queue.maxConcurrentOperationCount = 1 }

  func add() {
    for _ in 0..<2 {
      queue.addOperation { [self] in
        if inside.add(1, ordering: .sequentiallyConsistent).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
        runs.add(1, ordering: .relaxed)
        inside.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
  }
}

private final class CancelSubject: @unchecked Sendable {
  let queue = OperationQueue()
  let operation = BlockOperation {}
  private let blocks = Atomic(0)
  private let called = DispatchSemaphore(value: 0)

  init() {
    operation.completionBlock = { [self] in
      blocks.add(1, ordering: .relaxed)
      called.signal()
    }
  }

  func ending() -> String {
    queue.waitUntilAllOperationsAreFinished()
    _ = called.wait(timeout: .now() + .seconds(2))
    let count = blocks.load(ordering: .relaxed)
    return "\(operation.isFinished ? "finished" : "unfinished"), \(count) \(count == 1 ? "block" : "blocks")"
  }
}

private final class DependencySubject: @unchecked Sendable {
  let queue = OperationQueue()
  let order = EventLog<Int>()
  let first: BlockOperation
  let second: BlockOperation

  init() {
    let order = order
    first = BlockOperation { order.add(1) }
    second = BlockOperation { order.add(2) }
    second.addDependency(first)
  }
}

private final class ProgressSubject: @unchecked Sendable {
  let progress = Progress(totalUnitCount: 1)
  let calls = Atomic(0)
  let called = DispatchSemaphore(value: 0)
}

private final class ProcessSubject: @unchecked Sendable {
  let process = Process()
  let calls = Atomic(0)
  let ended = DispatchSemaphore(value: 0)

  init() {
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    process.standardInput = FileHandle.nullDevice
    process.terminationHandler = { [self] _ in
      calls.add(1, ordering: .relaxed)
      ended.signal()
    }
    try? process.run()
  }
}
