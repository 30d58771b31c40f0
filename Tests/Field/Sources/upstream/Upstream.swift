// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects

/// Shows defects of public packages: each program is one file, which needs nothing but its package.
@main
enum Upstream {
  static func main() async { await DefectProgram("upstream", about: "package", Defect.ofPackages).main() }
}

extension Defect {
  package static let ofPackages: [Defect] = [
    Defect(
      name: "share-newest",
      title: "`share(bufferingPolicy: .bufferingLatest(1))` stops for all consumers while one of them doesn't read.",
      about: "swift-async-algorithms",
      look: seen(shareNewest)
    ),
    Defect(
      name: "share-leak",
      title: "`for await _ in base.share() { break }` leaves a task behind that keeps the base forever.",
      about: "swift-async-algorithms",
      look: seen(shareLeak)
    ),
    Defect(
      name: "buffer-leak",
      title: "`for await _ in base.buffer(policy: .bounded(1)) { break }` leaves one, too.",
      about: "swift-async-algorithms",
      known: "[async-algorithms #352](https://github.com/apple/swift-async-algorithms/pull/352), open",
      look: seen(bufferLeak)
    ),
    Defect(
      name: "latest-cancelled",
      title: "`flatMapLatest` doesn't cancel its base if its consumer is cancelled while it waits.",
      about: "swift-async-algorithms",
      look: seen(latestCancelled)
    ),
    Defect(
      name: "latest-error",
      title: "`flatMapLatest` ends without an error if its base throws one while the consumer is at work.",
      about: "swift-async-algorithms",
      look: seen(latestError)
    ),
    Defect(
      name: "latest-switch",
      title: "`flatMapLatest` doesn't switch to the next sequence while the one before gives nothing.",
      about: "swift-async-algorithms",
      known: "no report found; [#437](https://github.com/apple/swift-async-algorithms/issues/437) is another hang",
      look: seen(latestSwitch)
    ),
    Defect(
      name: "shutdown-handler",
      title: "A handler of a graceful shutdown that asks `Task.isShuttingDownGracefully` never returns.",
      about: "swift-service-lifecycle",
      look: seen(shutdownHandler)
    ),
    Defect(
      name: "shared-body",
      title: "A read of a shared `HTTPBodySequence` goes on when the task that asked for it is cancelled.",
      about: "FlyingFox",
      look: seen(sharedBody)
    ),
    Defect(
      name: "pool-told",
      title: "`NIOThreadPool.shutdownGracefully()` may be over before the work that it cancels has been told.",
      about: "swift-nio",
      look: seen(poolTold)
    ),
    Defect(
      name: "pool-twice",
      title: "A second `NIOThreadPool.shutdownGracefully()` doesn't wait for work that the first one waits for.",
      about: "swift-nio",
      look: seen(poolTwice)
    ),
    Defect(
      name: "producer-untold",
      title: "`NIOAsyncSequenceProducer` tells its delegate nothing if its consumer was cancelled at first.",
      about: "swift-nio",
      look: seen(producerUntold)
    ),
    Defect(
      name: "shared-twice",
      title: "Two threads that subscribe to `share()` at once make two subscriptions.",
      about: "OpenCombine",
      look: seen(sharedTwice)
    ),
    Defect(
      name: "stale-value",
      title: "The last value that a subscriber of `CurrentValueSubject` gets may be an old one.",
      about: "OpenCombine",
      look: seen(staleValue)
    ),
    Defect(
      name: "zip-gone",
      title: "`zip` ends the program if both of its publishers end at once.",
      about: "OpenCombine",
      known: "[OpenCombine #241](https://github.com/OpenCombine/OpenCombine/issues/241), open",
      crashes: true,
      look: seen(zipGone)
    ),
    Defect(
      name: "received-cancelled",
      title: "`receive(on:)` delivers after `cancel()` if the end has been sent.",
      about: "OpenCombine",
      look: seen(receivedCancelled)
    ),
  ]

  /// Returns a finding of what a program says: what it saw of the defect, or nil if all was well.
  private static func seen(_ look: @escaping @Sendable () async -> String?) -> @Sendable () async -> Finding {
    { await look().map { Finding(.there, $0) } ?? Finding(.gone, "all was well") }
  }
}
