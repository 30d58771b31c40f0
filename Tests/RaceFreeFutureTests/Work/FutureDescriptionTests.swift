// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureDescriptionTests {
  @Test func `it shows the label and the state`() {
    let pending = Future(label: "download")
    #expect(pending.description == "Future(\"download\", pending)")
    let completed = Future(label: "download")
    completed.complete()
    #expect(completed.description == "Future(\"download\", completed)")
  }

  @Test func `it shows why it was cancelled`() {
    let future = Future(label: "download")
    future.cancel(throwing: Reason("gone"))
    #expect(future.description == "Future(\"download\", cancelled (\(Reason("gone"))))")
  }

  @Test func `without a label it shows where the future was made`() {
    let future = Future()
    let line = #line - 1
    #expect(future.description == "Future(made at \(#fileID):\(line), pending)")
    let linked = Future(linkedTo: future)
    #expect(linked.description == "Future(made at \(#fileID):\(line + 3), pending)")
    let completer = Future.makeCompleter()
    #expect(completer.future.description == "Future(made at \(#fileID):\(line + 5), pending)")
  }

  @Test func `it counts the handlers that wait`() async {
    let future = Future(label: "f")
    let first = future.onComplete {}
    #expect(future.description == "Future(\"f\", pending, 1 handler)")
    future.onCancel {}
    future.onCancel { _ in }
    future.onCleanUp(on: .inline) {}
    #expect(future.description == "Future(\"f\", pending, 4 handlers)")
    first.unregister()
    #expect(future.description == "Future(\"f\", pending, 3 handlers)")
    first.unregister()
    #expect(future.description == "Future(\"f\", pending, 3 handlers)")
    future.complete()
    #expect(future.description == "Future(\"f\", completed)")
    future.onComplete {}
    #expect(await future.handlersFinished == .completed)
    #expect(future.description == "Future(\"f\", completed)")
  }

  @Test func `timers, links and waiting tasks are no handlers`() async {
    let future = Future(label: "f")
    let registration = future.cancel(after: .seconds(3_600))
    let child = Future(linkedTo: future)
    let task = Task { await future.outcome }
    await Task.yield()
    #expect(future.description == "Future(\"f\", pending)")
    #expect(registration.unregister())
    future.complete()
    #expect(await task.value == .completed)
    #expect(child.isPending)
  }

  @Test func `the debug description is the same`() {
    let future = Future(label: "f")
    future.onCancel {}
    #expect(String(reflecting: future) == "\(future)")
  }

  @Test func `a reason whose description asks the future doesn't hang`() {
    struct Curious: Error, CustomStringConvertible {
      let future: Weak<Future>
      var description: String {
        guard let future = future.object else { return "gone" }
        return future.onComplete {}.unregister() ? "?" : "it is cancelled: \(future.isCancelled)"
      }
    }
    let future = Future(label: "f")
    future.cancel(throwing: Curious(future: Weak(future)))
    #expect(future.description == "Future(\"f\", cancelled (it is cancelled: true))")
  }

  @Test func `state and reason fit together, whenever it is asked`() async {
    struct Contest: Sendable {
      let future = Future(label: "f")
      let seen = EventLog<String>()
    }
    let whole: Set = ["Future(\"f\", pending)", "Future(\"f\", cancelled (\(Reason("why"))))"]
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: [
        { $0.future.cancel(throwing: Reason("why")) },
        { $0.seen.add($0.future.description) },
      ],
      verify: { contest in
        #expect(whole.isSuperset(of: contest.seen.events))
      }
    )
  }

  // MARK: Mirrors

  /// What a mirror shows: each child as "label: value".
  private func shown(_ subject: Any) -> [String] {
    Mirror(reflecting: subject).children.map { "\($0.label ?? "?"): \($0.value)" }
  }

  @Test func `a mirror shows the same in pieces`() {
    let future = Future(label: "f")
    let site = "\(#fileID):\(#line - 1)"
    future.onCancel {}
    #expect(shown(future) == ["label: f", "madeAt: \(site)", "isPending: true", "handlers: 1"])
    #expect(shown(future.cancelToken) == shown(future))
    let child = Future(linkedTo: future)
    future.cancel(throwing: Reason("gone"))
    let outcome = ["isPending: false", "outcome: cancelled", "cancellationReason: \(Reason("gone"))"]
    #expect(shown(future) == ["label: f", "madeAt: \(site)"] + outcome)
    #expect(shown(child).suffix(4) == outcome + ["cancellationPath: [\"f\"]"])
  }

  @Test func `the mirror of a value future shows the failure, and not the value`() {
    let secret = ValueFuture<Int>(label: "v")
    secret.complete(with: 42)
    #expect(shown(secret).suffix(2) == ["isPending: false", "outcome: completed"])
    let failed = ValueFuture<Int>(label: "v")
    failed.complete(throwing: Reason("broken"))
    #expect(shown(failed).last == "failure: \(Reason("broken"))")
  }

  @Test func `a reason that describes its own future is described with a bound`() {
    // Not kept: a reason that keeps its own future is a cycle.
    struct Own: Error, CustomStringConvertible {
      let future: Weak<Future>
      var description: String { "because of \(future.object, default: "nothing")" }
    }
    let future = Future(label: "self")
    future.cancel(throwing: Own(future: Weak(future)))
    #expect(future.description.hasPrefix("Future(\"self\", cancelled (because of Future(\"self\", cancelled"))
    #expect(future.description.count < 1_000)
  }
}
