// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Synchronization

extension DispatchGroup {
  /// Enters the group and leaves it exactly once, at any outcome of some work.
  ///
  /// The group is left where an inline handler would run: on the thread that resolves the future, or on the calling
  /// thread if the future is already resolved. It is also left if the future is released while pending, so a wait for
  /// the group doesn't hang.
  ///
  /// - Parameter work: The work. If it is already resolved, the group has been left when this returns; the same holds
  ///   for ``CancelToken/never``, because it keeps no handlers.
  public func enter(until work: some CancellableWork) {
    let membership = Membership(self)
    work.onCleanUp(on: .inline) { membership.leave() }
  }
}

/// An object that leaves the group once: when told, or when it is released.
private final class Membership: Sendable {
  private let group: DispatchGroup
  private let hasLeft = Atomic(false)

  init(_ group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit { leave() }

  func leave() {
    // Relaxed: only the group is left behind it, which orders its own calls.
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    group.leave()
  }
}
