// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

/// A result and a timeout both finish the same wait.
enum R06BothFinish {
  static let pattern = Pattern(
    id: "R6",
    title: "Result and timeout both finish",
    published: [
      "launchdarkly/ios-client-sdk#428", "armadsen/ORSSerialPort#196", "ps2/rileylink_ios#300",
      "getsentry/sentry-cocoa#5399", "wordpress-mobile/WordPress-iOS#20191",
    ],
    rounds: 100,
    naive: naive,
    ours: ours
  )

  static func naive() async -> Bool {
    let group = DispatchGroup()
    group.enter()
    later(0.004) { group.leave() }  // the answer
    later(0.002) { group.leave() }  // the timeout: the second of them traps
    await settled(group)
    return false
  }

  static func ours() async -> Bool {
    let group = DispatchGroup()
    let reply = Future()
    group.enter(until: reply)
    later(0.004) { reply.complete() }  // the answer
    reply.cancel(after: .milliseconds(2))  // the timeout
    await settled(group)
    return false
  }

  private static func later(_ seconds: Double, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: body)
  }

  /// Waits until the group is empty and both the answer and the timeout have come.
  private static func settled(_ group: DispatchGroup) async {
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { later(0.01) { continuation.resume() } }
    }
  }
}
