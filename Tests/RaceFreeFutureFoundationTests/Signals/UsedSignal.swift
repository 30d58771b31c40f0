// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureFoundation
import Synchronization
import Testing

/// One at a time: they share the signals of the process.
@Suite(.serialized) enum SignalTests {}

/// The signal that the tests send to this process.
enum UsedSignal {
  static let signal = ProcessSignal(rawValue: SIGUSR2)

  /// How often it had the effect that it has when nobody listens.
  static var formerEffects: Int { counted.load(ordering: .relaxed) }

  private static let counted = Atomic(0)

  /// The effect.
  ///
  /// Not `SIG_IGN`, which a launch in another test would replace for a moment.
  private static let handler: @convention(c) (Int32) -> Void = { _ in
    UsedSignal.counted.add(1, ordering: .relaxed)
  }

  /// Has the signal counted when nobody listens.
  static func prepare() {
    counted.store(0, ordering: .relaxed)
    Foundation.signal(signal.rawValue, handler)
  }

  /// True if nobody listens.
  static var isAsBefore: Bool {
    var action = sigaction()
    unsafe sigaction(signal.rawValue, nil, &action)
    #if canImport(Darwin)
      let current = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let current = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return unsafe current == unsafeBitCast(handler, to: Int.self)
  }

  static func send() { kill(getpid(), signal.rawValue) }
}
