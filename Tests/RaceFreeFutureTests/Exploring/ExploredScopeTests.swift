// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Small programs with scopes, run in every order.
@Suite struct ExploredScopeTests {
  @Test func `L12 no matter who cancels when, a drained scope has ended`() async throws {
    await exploreTasks("drained means ended") { scenario in
      let scope = Scope(label: "scope")
      let inside = Scope(in: scope, label: "inside")
      let running = Variable(0)
      inside.addTask {
        running.value += 1
        await Task.yield()
        running.value -= 1
      }
      inside.onCancelTask { _ in
        running.value += 1
        await Task.yield()
        running.value -= 1
      }
      let canceller = Task { scope.cancel() }
      await canceller.value
      await scope.drain()
      scenario.check(running.value == 0, "\(running.value) still run")
    }
  }

  @Test func `L12 handlers of scopes inside are waited for, no matter who cancels them`() async throws {
    await exploreTasks("handlers inside have returned") { scenario in
      let scope = Scope(label: "scope")
      let inside = Scope(in: scope, label: "inside")
      let (begun, ended) = (Variable(0), Variable(0))
      inside.onCancel(on: .main) {
        begun.value += 1
        scope.add(Future.made { future in Task { future.complete() } })
        ended.value += 1
      }
      let canceller = Task {
        inside.cancel()
        begun.value += 1
      }
      let activity = scope.beginActivity("until here")
      let ender = Task { activity.end() }
      await scope.drain()
      // If it was cancelled before, its handler has returned.
      scenario.check(inside.isPending || ended.value == 1 || begun.value == 0, "the handler hasn't returned")
      await canceller.value
      await ender.value
      await scope.drain()
      scenario.check(ended.value == 1 && scope.count == 0, "something is left")
    }
  }

  /// The ways in which one future decides another one that has no handlers.
  enum Way: CaseIterable {
    case linked, all, any, passed, mapped, cascade

    /// Returns a future that the source will decide, and the decision of the source.
    func follower(of source: Future) -> (work: any CancellableWork, decide: @Sendable () -> Void) {
      switch self {
      case .linked: return (Future(linkedTo: source), { source.cancel() })
      case .all: return (Future.all([source, .made { $0.complete() }]), { source.complete() })
      case .any: return (Future.any([source, Future()]), { source.complete() })
      case .passed:
        let outer = Future()
        outer.passControl(to: source)
        return (outer, { source.complete() })
      case .mapped:
        let value = ValueFuture<Int>(linkedTo: source)
        return (value.map { $0 + 1 }, { source.cancel() })
      case .cascade:
        let other = Future()
        source.cancel()
        return (other, { source.cascadeCancellation(to: other) })
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `a wait ends when the future is resolved through another one, whatever leads there`(way: Way) async throws {
    await exploreTasks("resolved through \(way)") { scenario in
      let source = Future()
      let (work, decide) = way.follower(of: source)
      let decider = Task { decide() }
      await work.drain()
      scenario.check(!work.isPending, "it is pending")
      await decider.value
    }
  }

  /// What a future has when it is decided.
  enum Company: CaseIterable {
    case nothing, inlineHandler, handler, waiter, lateHandler, activity, stage
  }

  @Test(arguments: Company.allCases)
  func `L12 a wait that begins before the decision ends, whatever the future has`(company: Company) async throws {
    await exploreTasks("decided with \(company)") { scenario in
      let value = ValueFuture<Int>()
      var others: [Task<Void, Never>] = []
      switch company {
      case .nothing: break
      case .inlineHandler: value.onCleanUp(on: .inline) {}
      case .handler: value.onCleanUp {}
      case .waiter: others.append(Task { _ = await value.handlersFinished })
      case .lateHandler: others.append(Task { value.onCleanUp(on: .inline) {} })
      case .activity: others.append(Task { [activity = value.beginActivity("open")] in activity.end() })
      case .stage: _ = value.map { $0 }
      }
      others.append(Task { value.complete(with: 1) })
      await value.drain()
      scenario.check(value.isCompleted, "it is pending")
      for other in others { await other.value }
    }
  }

  @Test func `no waiter is left behind, however many begin and end`() async throws {
    await exploreTasks("every drain returns") { scenario in
      let scope = Scope(label: "scope")
      let first = scope.beginActivity("first")
      let others = [
        Task { first.end() },
        Task { scope.beginActivity("second").end() },
        Task { await scope.drain() },
      ]
      await scope.drain()
      for other in others { await other.value }
      scenario.check(scope.count == 0, "something is open")
    }
  }

  @Test func `a wait ends at its time or with the work, and says which`() async throws {
    await exploreTasks("late or drained") { scenario in
      let scope = Scope(label: "scope")
      let activity = scope.beginActivity("open")
      let ender = Task {
        try? await Task.sleep(for: .seconds(1))
        activity.end()
      }
      do {
        try await scope.drain(within: .seconds(1))
        scenario.check(scope.count == 0, "it isn't over")
      } catch let error as DrainError {
        scenario.check(error.remaining.map(\.age) == [.seconds(1)], "\(error)")
      }
      await ender.value
      try await scope.drain(within: .zero)
    }
  }
}

extension Future {
  /// A future that is given to somebody who completes it.
  fileprivate static func made(_ body: (Future) -> Void) -> Future {
    let future = Future()
    body(future)
    return future
  }
}
