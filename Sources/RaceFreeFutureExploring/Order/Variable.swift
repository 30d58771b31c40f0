// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// A variable that closures of all kinds can share, for the data of a scenario.
///
/// Handlers of futures are `@Sendable`, so that they can't use a local `var`. Reading and writing are each safe from
/// any thread. In a thread of a scenario (``Scenario/thread(_:_:)``) each of them is a step, and so is a change in place,
/// such as `variable.value += 1`; outside of an exploration such a change is a reading and a writing.
public final class Variable<Value: Sendable>: Sendable {
  private let content: Locked<Value>
  private let identity = ExploredIdentity("variable", #fileID, #line)

  /// Creates a variable.
  ///
  /// - Parameter value: The initial value.
  public init(_ value: Value) { content = Locked(value) }

  /// The value.
  public var value: Value {
    get {
      stop("look at")
      return content.withLock { $0 }
    }
    set {
      stop("set")
      replace(by: newValue)
    }
    _modify {
      stop("set")
      var value = content.withLock { $0 }
      defer { replace(by: value) }
      yield &value
    }
  }

  private func replace(by new: Value) {
    // The old value is released after the lock.
    content.release { content in
      defer { content = new }
      return content
    }
  }

  /// Lets other actors act before an access.
  private func stop(_ verb: String) {
    guard let place = ExploredPlace.current, !place.run.turns.isLooking else { return }
    _ = identity.enter(place, isUsedAtOnce: true)
    guard let thread = place.thread, place.carrier == nil else { return }
    let name = identity.name
    let isLook = verb == "look at"
    let touches = isLook ? identity.looks : identity.changes
    _ = thread.take(ThreadOperation(label: { "\(verb) \(name)" }, touches: touches, mayLook: isLook))
    // A thread that reads again and again may wait for a change.
    if isLook { place.run.note(look: name, 0, by: thread) }
  }
}
