// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// Makes several threads call an object at random, many times, and checks that the answers could have come from calls
/// made one after the other.
///
/// ```swift
/// await linearizabilityStress(
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
/// For each history, threads make a few random calls each, all at the same time, to a fresh object; the threads are
/// made for this test, and pinned to cores where the system supports it. Before each call a thread waits for a random
/// moment of up to a microsecond or so, so that calls meet at all their points. Many tiny histories find more than a
/// few long ones. The first history that no order of its calls explains ends the test; the report shows its relevant
/// calls.
///
/// If the process crashes meanwhile, the name of the test, the calls that the threads were in, and the seed are written
/// to standard error first.
///
/// The caller is suspended meanwhile. Cancelling its task doesn't end the test.
///
/// It can't show that a history which didn't occur would be legal, too. And because each call is recorded with a memory
/// fence before and after it, effects of weak memory *between* two calls of one thread don't occur.
///
/// - Parameters:
///   - name: The name of the object; it begins the report.
///   - histories: The number of histories, at least 1. Ten thousand take less than a second in a release build. As long
///     as fewer than a quarter have calls that overlap, up to five times as many are taken.
///   - threads: The number of threads, at least 2. With more threads than cores, fewer calls overlap.
///   - calls: The maximum number of calls that each thread makes, at least 1. With those of all threads and `finally`
///     there may be 64.
///   - seed: The seed from which the programs are drawn. By default the environment variable `RACEFREEFUTURE_SEED`, or
///     if it isn't set a new one for each run.
///   - patience: The time without any call returning after which the test is given up; the report shows where the
///     threads are stuck. The threads are left behind. The environment variable `RACEFREEFUTURE_PATIENCE` multiplies
///     it.
///   - requires: The share of histories that have to overlap; with fewer the test is inconclusive.
///   - make: Makes an object. Runs on a thread of the test's own, while no other touches an object.
///   - model: The state of a new object: a value that represents it.
///   - operations: The operations that are called. One that is in the list several times is called more often.
///   - finally: The operations that are called at the end of each history, one after the other, when all threads are
///     done, to read the final state.
/// - Returns: A report that passes if every history could be explained, and enough had overlapping calls.
@discardableResult
public func linearizabilityStress<Subject: Sendable, State: Hashable & Sendable>(
  _ name: String,
  histories: Int = 20_000,
  threads: Int = 2,
  calls: Int = 3,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  requires: RequiredExtent = .warning,
  make: @escaping @Sendable () -> Subject,
  model: State,
  operations: [ModelledOperation<Subject, State>],
  finally: [ModelledOperation<Subject, State>] = [],
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> LinearizabilityReport {
  let list = OperationList(initialState: model, list: operations + finally)
  return await linearizabilityStress(
    name,
    histories: histories,
    threads: threads,
    calls: calls,
    seed: seed,
    patience: patience,
    requires: requires,
    make: make,
    model: list,
    operations: Array(list.operations.prefix(operations.count)),
    finally: Array(list.operations.suffix(finally.count)),
    call: { list.call($0, $1) },
    function: function,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

/// Makes several threads call an object at random, and checks the histories against a ``SequentialModel``.
///
/// The same test as
/// ``linearizabilityStress(_:histories:threads:calls:seed:patience:requires:make:model:operations:finally:function:fileID:filePath:line:column:)``,
/// for models whose operations may have more than one result, or that have an enumeration of the operations anyway.
///
/// - Parameters:
///   - name: The name of the object; it begins the report.
///   - histories: The number of histories, at least 1.
///   - threads: The number of threads, at least 2.
///   - calls: The maximum number of calls that each thread makes, at least 1. With those of all threads and `finally`
///     there may be 64.
///   - seed: The seed from which the programs are drawn.
///   - patience: The time without any call returning after which the test is given up.
///   - requires: The share of histories that have to overlap; with fewer the test is inconclusive.
///   - make: Makes an object.
///   - model: The model of the object.
///   - operations: The operations that are called.
///   - finally: The operations that are called at the end of each history.
///   - call: Calls the object. Runs on several threads at the same time, with the same object.
/// - Returns: A report that passes if every history could be explained, and enough had overlapping calls.
@discardableResult
public func linearizabilityStress<Subject: Sendable, Model: SequentialModel>(
  _ name: String,
  histories: Int = 20_000,
  threads: Int = 2,
  calls: Int = 3,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  requires: RequiredExtent = .warning,
  make: @escaping @Sendable () -> Subject,
  model: Model,
  operations: [Model.Operation],
  finally: [Model.Operation] = [],
  call: @escaping @Sendable (Subject, Model.Operation) -> Model.Answer,
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> LinearizabilityReport where Model.Operation: Hashable, Model.Answer: Hashable {
  precondition(histories > 0, "a stress of \(histories) histories tests nothing")
  precondition(threads > 1, "calls of one thread don't overlap: a stress needs two threads")
  precondition(calls > 0 && threads * calls + finally.count <= 64, "a history has from 1 to 64 calls")
  precondition(!operations.isEmpty, "a stress needs an operation to call")
  let kept = KeptFailure(name, function)
  let seed = chosenSeed(seed, kept)
  let patience = patience.patiently
  let run = LinearizabilityRun<Subject, Model>(
    model: model,
    operations: operations,
    settings: .init(
      histories: histories,
      threads: threads,
      calls: calls,
      seed: seed,
      closing: finally,
      patience: nanoseconds(max(patience, .nanoseconds(1)))
    ),
    make: make,
    call: call
  )
  let note = run.crashNote(name, again: commandToRepeat(seed: seed, function: function), file: kept?.path)
  // One after the other: two stresses at the same time would compete for the cores.
  let ending = await Turns.take {
    CrashHandler.add(note)
    defer { CrashHandler.remove(note) }
    return await OwnThread.run { watched(run, patience: patience) }
  }
  let report = LinearizabilityReport(
    name,
    ending,
    run.counts,
    planned: histories,
    course: "\(threads) threads, up to \(times(calls, "call")) each",
    requires: requires,
    seed: seed,
    function: function
  )
  kept?.note(report)
  report.record(
    inconclusiveIsError: requires.isError,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  )
  return report
}

/// Runs a stress on another thread, and gives it up if it makes no progress.
private func watched<Subject, Model>(_ run: LinearizabilityRun<Subject, Model>, patience: Duration) -> StressEnding {
  let ending = Locked<StressEnding?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  OwnThread.start {
    let end = run.run()
    ending.withLock { $0 = end }
    isDone.signal()
  }
  // Counted in pauses, not by the clock: threads don't count as stuck because the machine sleeps.
  let pause = Duration.milliseconds(50)
  var quiet = Duration.zero
  var last: Int?
  while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
    let now = run.activity
    quiet = now == last ? quiet + pause : .zero
    last = now
    if now != nil, quiet >= patience { return .stuck(run.whereabouts) }
  }
  return ending.withLock { $0 } ?? .everyHistoryExplained
}
