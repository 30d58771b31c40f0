// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Synchronization

extension DispatchGroup {
  /// Enters the group and leaves it at the outcome of some work, whichever it is: exactly once.
  ///
  /// The group is left as an inline handler runs: on the thread that resolves its future, or on this one if it is
  /// resolved already. It is left also if the future is released while it is pending, so a wait for the group doesn't
  /// hang.
  ///
  /// - Parameter work: If it is resolved already, the group has been left when this returns; that of
  ///   ``CancelToken/never`` too, because it keeps no handlers.
  public func enter(until work: some CancellableWork) {
    let membership = Membership(self)
    work.onCleanUp(on: .inline) { membership.leave() }
  }
}

/// Leaves the group once: when told, or when nobody is left who could tell it.
private final class Membership: Sendable {
  private let group: DispatchGroup
  private let hasLeft = Atomic(false)

  init(_ group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit { leave() }

  func leave() {
    guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
    group.leave()
  }
}
