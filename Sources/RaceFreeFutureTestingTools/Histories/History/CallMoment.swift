// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The moment in an explored order at which a call begins: where its thread acts next.
///
/// Used by the one thread of the order that runs: that makes it `@unchecked Sendable`.
package final class CallMoment: @unchecked Sendable {
  /// The moment; nil as long as it isn't known.
  package var time: UInt64?

  package init() {}
}

/// The scheduler of an explored order, whose clocks stand still: it counts what happens instead.
package protocol MomentCounter {
  /// Notes that the running code begins a call.
  func callBegins() -> CallMoment
  /// Notes that the running code ends a call; returns the moment.
  func callEnds() -> UInt64
}
