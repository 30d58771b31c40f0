// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Synchronization

extension DispatchGroup {
  /// Enters the group and leaves it at the future's outcome, whichever it is: exactly once.
  ///
  /// The group is left as an inline handler runs: on the thread that resolves the future, or on this one if it is
  /// resolved already. It is left also if the future is released while it is pending, so a wait for the group doesn't
  /// hang.
  ///
  /// - Parameter future: If it is resolved already, the group has been left when this returns.
  public func enter(until future: Future) {
    let membership = Membership(self)
    future.onCleanUp(on: .inline) { membership.leave() }
  }

  /// Enters the group and leaves it at the outcome of the token's future, whichever it is: exactly once.
  ///
  /// Like ``enter(until:)-(Future)``.
  ///
  /// - Parameter token: The token of the future. ``CancelToken/never`` is left at once, because it keeps no handlers.
  public func enter(until token: CancelToken) {
    enter(until: token.future)
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
