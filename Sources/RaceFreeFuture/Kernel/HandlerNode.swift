// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The node of a handler, which isn't the first of its future, or belongs to the library.
///
/// The rules of `ListEntry` make it `@unchecked Sendable`.
@safe
class HandlerNode: ListEntry, @unchecked Sendable {
  /// The handler, which belongs to the lock of the future as long as the node isn't taken (E1, E2).
  @safe @exclusivity(unchecked) final var handler: Handler

  init(_ trigger: Future.Outcome?, _ place: HandlerPlace.Kind, role: Role = .user, _ work: consuming HandlerWork) {
    handler = Handler(trigger, place, work)
    super.init(role)
  }

  /// Creates the node of a task that is going to be suspended: see `FutureMachine.park`.
  init() {
    handler = Handler()
    super.init(.waiter)
    standing = .unparked
  }

  /// Creates a node of the library itself: it runs inline, at either outcome, and isn't counted as a handler.
  convenience init(
    role: Role = .library,
    _ waiter: @escaping @Sendable (Resolution) -> Void
  ) {
    self.init(nil, .inline, role: role, .detailed(waiter))
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// Stops its timer, if it is a node with one.
  func stop() {}

  /// Notes that another future or a scope depends on the outcome; for a node that watches (`addWatcher`).
  func dependentAdded() {}
}

/// A handler of a future: the first one, which is a field of the future's state, or one with a node.
enum HandlerID {
  case first
  case node(HandlerNode)

  /// True if another thread has it, to wake or release it: nobody else may touch it then, not even under the lock (E1).
  var isTaken: Bool {
    switch self {
    case .first: false
    case .node(let node): node.standing == .taken
    }
  }
}
