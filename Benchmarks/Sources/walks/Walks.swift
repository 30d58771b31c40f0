// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring
import Dispatch
import RaceFreeFuture

/// Goes one of the five walks of `Scripts/walks.sh`, which counts the lines that run.
///
/// What prepares a walk, or comes after its end, isn't counted.
@main
struct Walks {
  static func main() {
    let walks = ["handler": handler, "link": link, "value": value, "scope": scope, "deadline": deadline]
    guard let name = CommandLine.arguments.dropFirst().first, let walk = walks[name] else {
      return print("walks: one of", walks.keys.sorted().joined(separator: ", "))
    }
    walk()
  }
}

/// Tells the last handler that everything which comes before it has returned.
private let mayEnd = DispatchSemaphore(value: 0)

/// Ends a walk, in its last handler.
private func endInHandler() {
  mayEnd.wait()
  write_coverage()
}

/// Waits for the end of a walk that ends in a handler.
private func waitForHandler() -> Never {
  mayEnd.signal()
  dispatchMain()
}

/// From `onComplete` to the run of the handler.
private func handler() {
  let future = Future()
  begin_coverage()
  future.onComplete { endInHandler() }
  future.complete()
  waitForHandler()
}

/// A child is made, and cancelled with its parent.
private func link() {
  let parent = Future()
  begin_coverage()
  let child = Future(linkedTo: parent)
  parent.cancel()
  write_coverage()
  withExtendedLifetime(child) {}
}

/// A value goes through `map`, to a handler.
private func value() {
  let file = ValueFuture<String>()
  begin_coverage()
  let text = file.map { $0.uppercased() }
  text.onValue { _ in endInHandler() }
  file.complete(with: "a")
  waitForHandler()
}

/// A member of a scope ends while the scope is drained.
private func scope() {
  let (scope, member) = (Scope(), Future())
  begin_coverage()
  scope.add(member)
  keep_tasks(true)
  Task.detached {
    try? await scope.drain(within: .seconds(60))
    write_coverage()
  }
  run_tasks()
  member.complete()
  run_tasks()
  keep_tasks(false)
}

/// A deadline is set, and comes, to an inline handler: the thread of the timer goes on after any other one has begun.
private func deadline() {
  let future = Future()
  begin_coverage()
  future.onCancel(on: .inline) { endInHandler() }
  future.cancel(after: .milliseconds(100))
  waitForHandler()
}
