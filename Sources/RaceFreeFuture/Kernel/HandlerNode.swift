// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The node of a handler, which isn't the first of its future, or belongs to the library.
///
/// `@unchecked Sendable` by the rules of `Entry`.
@safe
final class HandlerNode: @unchecked Sendable {
  enum Role: UInt8 {
    /// A user's handler.
    case user
    /// An action of the library at the outcome.
    case library
    /// Wakes a thread or task that waits for the outcome; it comes before all others, and runs no user code.
    case waiter
    /// Waits until all handlers have returned, and nothing of the future itself is open.
    case awaitsHandlers
    /// Waits until all handlers have been dispatched and the inline ones have returned.
    case awaitsDelivery
    /// Waits for the same, and until nothing is open in nested scopes.
    case awaitsEnd
    /// Waits for the same as `awaitsEnd`; but of a scope it needs no outcome, and it isn't among what depends on a future.
    case drain

    /// True if it waits for the end instead of the outcome.
    var awaitsEnding: Bool { rawValue >= Role.awaitsHandlers.rawValue }
  }

  @safe @exclusivity(unchecked) var hook = Entry.Hook()
  @safe @exclusivity(unchecked) var standing = Entry.Standing.free
  let role: Role
  /// The handler, which belongs to the lock of the future as long as the node isn't taken (E1, E2).
  @safe @exclusivity(unchecked) var handler: Handler

  init(_ trigger: Future.Outcome?, _ place: HandlerPlace.Kind, role: Role = .user, _ work: consuming HandlerWork) {
    handler = Handler(trigger, place, work)
    self.role = role
  }

  /// Creates the node of a task that is going to be suspended: see `FutureMachine.park`.
  init() {
    handler = Handler()
    role = .waiter
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

  var isListed: Bool { standing == .listed || standing == .late }
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
