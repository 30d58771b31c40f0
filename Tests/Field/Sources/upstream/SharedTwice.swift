// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OpenCombine
import Synchronization

private let subscriptions = Atomic(0)

@Sendable func sharedTwice() async -> String? {
  let subject = PassthroughSubject<Int, Never>()
  let slow = subject.handleEvents(receiveSubscription: { _ in
    subscriptions.add(1, ordering: .relaxed)
    Thread.sleep(forTimeInterval: 0.3)
  })
  let both = Both(publisher: slow.share().eraseToAnyPublisher())
  DispatchQueue.concurrentPerform(iterations: 2) { _ in both.follow() }
  let count = subscriptions.load(ordering: .relaxed)
  return count == 1 ? nil : "two that subscribed at once made \(count) subscriptions"
}

/// A publisher is meant for several threads.
private struct Both: @unchecked Sendable {
  let publisher: AnyPublisher<Int, Never>
  func follow() { withExtendedLifetime(publisher.sink { _ in }) { Thread.sleep(forTimeInterval: 0.3) } }
}
