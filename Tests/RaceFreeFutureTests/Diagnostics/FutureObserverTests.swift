// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Each in a process of its own: there is one observer for the whole program.
@Suite(.exitTests) struct FutureObserverTests {
  @Test func `it is told of each future once as created and once how it ended`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      Future(label: "a").complete()
      Future(label: "b").cancel(throwing: Reason("enough"))
      ValueFuture<Int>(label: "c").complete(with: 3)
      ValueFuture<Int>(label: "d").complete(throwing: Reason("broken"))
      _ = Future(label: "e")
      _ = Future.makeCompleter(label: "f")
      let future = Future(label: "g")
      future.complete()
      future.cancel()
      future.complete()
      #expect(
        log.events.map(withoutPlace) == [
          "Future(\"a\") created", "Future(\"a\") completed",
          "Future(\"b\") created", "Future(\"b\") cancelled (\(Reason("enough")), cancelled",
          "Future(\"c\") created", "Future(\"c\") completed",
          "Future(\"d\") created", "Future(\"d\") failed (\(Reason("broken")))",
          "Future(\"e\") created", "Future(\"e\") released while pending",
          "Future(\"f\") created", "Future(\"f\") cancelled (abandoned: \"f\", made",
          "Future(\"g\") created", "Future(\"g\") completed",
        ]
      )
    }
  }

  @Test func `an event tells identity, label and place`() async {
    await #expect(processExitsWith: .success) { expectIdentityLabelAndPlace() }
  }

  @Test func `it is told after the decision and before the first handler`() async {
    await #expect(processExitsWith: .success) {
      let log = EventLog<String>()
      let future = Future(label: "a")
      let child = Future(linkedTo: future, label: "b")
      Future.observer = { [weak future] in log.add("\(withoutPlace("\($0)")) \(future?.isCancelled == true)") }
      future.onCancel(on: .inline) { log.add("handler") }
      child.onCancel(on: .inline) { log.add("child's handler") }
      future.cancel(throwing: Reason("x"))
      let reason = Reason("x")
      #expect(
        log.events == [
          "Future(\"a\") cancelled (\(reason), cancelled true", "handler",
          "Future(\"b\") cancelled (\(reason), through a, cancelled true", "child's handler",
        ]
      )
    }
  }

  @Test func `it may use futures itself, of which it isn't told`() async {
    await #expect(processExitsWith: .success) {
      let log = EventLog<String>()
      let tasks = Locked<[Task<Void, Never>]>([])
      Future.observer = { event in
        log.add(event.origin.label ?? "?")
        let own = Future(label: "the observer's")
        own.onCancel(on: .inline) {}
        own.cancel()
        let task = Task { Future(label: "its task's").complete() }
        tasks.withLock { $0.append(task) }
      }
      Future(label: "a").complete()
      for task in tasks.withLock({ $0 }) { await task.value }
      Future(label: "b").complete()
      #expect(log.events == ["a", "a", "b", "b"])
    }
  }

  @Test func `it may call the future that it is told of, from the future's own queue, too`() async {
    await #expect(processExitsWith: .success) {
      let future = Future(label: "a")
      let log = EventLog<Future.Outcome?>()
      Future.observer = { _ in
        future.cancel()
        future.performAndWait { log.add(future.isCompleted ? .completed : nil) }
        future.onComplete(on: .inline) { log.add(.completed) }
      }
      future.performAndWait { future.complete() }
      #expect(await future.handlersFinished == .completed)
      #expect(log.events == [.completed, .completed])
    }
  }

  @Test func `removed it is told nothing more, and released`() async {
    await #expect(processExitsWith: .success) {
      let released = Gate("released")
      let log = EventLog<String>()
      do {
        let keeper = OnDeinit { released.open() }
        Future.observer = { event in
          keeper.touch()
          log.add("\(event.origin.label ?? "?")")
        }
      }
      let future = Future(label: "a")
      Future.observer = nil
      #expect(Future.observer == nil)
      future.complete()
      await released.passed()
      #expect(log.events == ["a"])
    }
  }

  @Test func `the futures that can't end are not told`() async {
    await #expect(processExitsWith: .success) {
      let log = EventLog<String>()
      Future.observer = { log.add("\($0)") }
      CancelToken.never.cancel()
      CancelToken.never.onCancel {}
      #expect(log.events == [])
    }
  }

  @Test func `the library's own futures aren't told as abandoned`() async {
    await #expect(processExitsWith: .success) {
      let log = EventLog<String>()
      Future.observer = { event in
        if case .abandoned = event.kind { log.add("\(event)") }
      }
      let future = Future(label: "work")
      try await future.run {}
      future.complete()
      #expect(log.events == [])
    }
  }

  // MARK: Errors that come too late

  @Test func `it is told of an error that the body of run throws after the cancellation`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      let future = Future(label: "work")
      await #expect(throws: CancellationError.self) {
        try await future.run {
          future.cancel()
          throw Reason("late")
        }
      }
      #expect(log.events.map(withoutPlace).last == "Future(\"work\") failed too late (\(Reason("late")))")
    }
  }

  @Test func `it is told of an error that comes after the outcome`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      let (cancelled, failed) = (ValueFuture<Int>(label: "a"), ValueFuture<Int>(label: "b"))
      cancelled.cancel()
      cancelled.complete(throwing: Reason("late"))
      cancelled.complete(with: Result<Int, Reason>.failure(Reason("later")))
      // Not an error, and not lost.
      cancelled.complete(with: 1)
      cancelled.cancel(throwing: Reason("again"))
      #expect(!cancelled.tryComplete(throwing: Reason("still the caller's")))
      failed.complete(throwing: Reason("first"))
      failed.complete(throwing: Reason("second"))
      // A block that ends after a failure isn't a second one.
      failed.performAndWait {}
      #expect(
        log.events.map(withoutPlace).filter { !$0.contains("created") } == [
          "Future(\"a\") cancelled (CancellationError(), cancelled",
          "Future(\"a\") failed too late (\(Reason("late")))",
          "Future(\"a\") failed too late (\(Reason("later")))", "Future(\"b\") failed (\(Reason("first")))",
          "Future(\"b\") failed too late (\(Reason("second")))",
        ]
      )
    }
  }

  @Test func `it is told of the error of work that was cancelled, and of a closure's, and not of a passed one`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      let (begun, cancelled) = (Gate("begun"), Gate("cancelled"))
      let work = ValueFuture<Int>.background(label: "work") { _ in
        begun.open()
        cancelled.wait()
        throw Reason("late")
      }
      await begun.passed()
      work.cancel()
      cancelled.open()
      try? await eventually("the error has come") { log.events.contains { $0.contains("too late") } }
      // The closure cancels what is made of it, and fails.
      let (source, made) = (ValueFuture<Int>(), EventLog<ValueFuture<Int>>())
      made.add(
        source.map(label: "made") { _ in
          made.events[0].cancel()
          throw Reason("thrown")
        }
      )
      source.complete(with: 1)
      // The failure of a part that `all` doesn't need any more is told as the part's.
      let parts = [ValueFuture<Int>(label: "first"), ValueFuture<Int>(label: "second")]
      _ = ValueFuture.all(parts, label: "all")
      for part in parts { part.complete(throwing: Reason("broken")) }
      #expect(
        log.events.filter { $0.contains("failed") } == [
          "Future(\"work\") failed too late (\(Reason("late")))",
          "Future(\"made\") failed too late (\(Reason("thrown")))",
          "Future(\"first\") failed (\(Reason("broken")))", "Future(\"all\") failed (\(Reason("broken")))",
          "Future(\"second\") failed (\(Reason("broken")))",
        ]
      )
    }
  }

  @Test func `it is told of an error queued behind a block that decides`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      let (future, gate) = (ValueFuture<Int>(label: "a"), Gate("line"))
      future.perform {
        gate.wait()
        future.cancel()
      }
      future.complete(throwing: Reason("late"))
      gate.open()
      await future.withTurn {}
      #expect(log.events.last == "Future(\"a\") failed too late (\(Reason("late")))")
    }
  }

  // MARK: Races

  @Test func `each end is reported once, no matter who resolves, drops or sets the observer meanwhile`() async {
    await #expect(processExitsWith: .success) {
      let counts = Locked<[ObjectIdentifier: Int]>([:])
      let created = Locked(0)
      let ended = Locked(0)
      let observer: @Sendable (Future.Event) -> Void = { event in
        switch event.kind {
        case .created:
          created.withLock { $0 += 1 }
          // The identity may be that of one that has gone, and was told so.
          counts.withLock { $0[event.id, default: 0] += 1 }
        case .failedTooLate: break
        default:
          ended.withLock { $0 += 1 }
          counts.withLock { $0[event.id, default: 0] -= 1 }
        }
      }
      Future.observer = observer
      let body: @Sendable () -> Void = {
        for round in 0..<iterations(5_000) {
          let future = Future()
          let child = Future(linkedTo: future)
          switch round % 4 {
          case 0: future.complete()
          case 1: future.cancel()
          case 2: child.cancel()
          default: break
          }
          if round % 100 == 0 { Future.observer = observer }
        }
      }
      await onThreads([body, body, body, body])
      Future.observer = nil
      #expect(created.withLock { $0 } == 8 * iterations(5_000))
      #expect(ended.withLock { $0 } == created.withLock { $0 })
      #expect(counts.withLock { $0.values.allSatisfy { $0 == 0 } })
    }
  }

  @Test func `it is told of a cancellation by a task that goes`() async {
    await #expect(processExitsWith: .success) {
      let log = observeLabelled()
      let started = Gate("started")
      let task = Task {
        try await withFuture(of: Int.self, label: "work") { completer in
          let keep = completer
          started.open()
          completer.onCancel(on: .inline) { _ = keep }
        }
      }
      await started.passed()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(
        log.events.map(withoutPlace) == [
          "Future(\"work\") created", "Future(\"work\") cancelled (CancellationError())",
        ]
      )
    }
  }
}

/// Outside of the closure of an exit test, in which lines aren't those of this file.
private func expectIdentityLabelAndPlace() {
  let log = EventLog<Future.Event>()
  Future.observer = { log.add($0) }
  let future = Future()
  let line = UInt(#line - 1)
  let labelled = Future(label: "a")
  Future.observer = nil
  withExtendedLifetime((future, labelled)) {
    #expect(log.events.map(\.id) == [ObjectIdentifier(future), ObjectIdentifier(labelled)])
  }
  #expect(log.events.map(\.origin.label) == [nil, "a"])
  #expect(log.events.map(\.origin.place) == ["\(#fileID):\(line)", "\(#fileID):\(line + 2)"])
  let texts = log.events.map(\.description)
  #expect(texts == ["Future(made at \(#fileID):\(line)) created", "Future(\"a\") created at \(#fileID):\(line + 2)"])
}

/// Observes the futures that have labels.
private func observeLabelled() -> EventLog<String> {
  let log = EventLog<String>()
  Future.observer = { event in
    if event.origin.label != nil { log.add("\(event)") }
  }
  return log
}

/// The text of an event up to the place where the future was made.
@Sendable
private func withoutPlace(_ text: String) -> String {
  text.split(separator: " at ", maxSplits: 1).first.map(String.init) ?? text
}
