// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// A thread that runs the steps of an order in the body of `exploreTasks`, one after the other.
///
/// If a step is interrupted, its thread waits in the middle of it, and another one runs the steps of others. One at a time
/// runs; it publishes all that it has written with the semaphore of the next one. That makes it `@unchecked Sendable`.
final class Carrier: @unchecked Sendable {
  /// The order to run; nil: the thread may end.
  fileprivate var run: OrderRun?
  /// The line of the step that it runs.
  var line = 0
  private let mayGoOn = OwnSemaphore()

  fileprivate init() {}

  fileprivate func begin(_ run: OrderRun?) {
    self.run = run
    mayGoOn.signal()
  }

  fileprivate func carry() {
    while true {
      mayGoOn.wait()
      guard let run = self.run.take() else { return }
      ExploredPlace.begin(run, self)
      RuntimeControl.begin(run)
      run.watchingIssues { Scheduling.schedule(by: run) { run.carry(on: self) } }
      RuntimeControl.end()
      ExploredPlace.end()
    }
  }
}

/// The threads that run the steps of one exploration.
final class CarrierPool: Sendable {
  private let idle = Locked<(carriers: [Carrier], isClosed: Bool)>(([], false))

  /// Has a thread of its own run the steps of an order.
  func carry(_ run: OrderRun) {
    if let carrier = idle.withLock({ $0.carriers.popLast() }) { return carrier.begin(run) }
    let carrier = Carrier()
    OwnSemaphore.unnoticed { OwnThread.start { carrier.carry() } }
    carrier.begin(run)
  }

  /// Makes a thread idle that has no step to continue.
  ///
  /// It may be given another order before this returns.
  func put(_ carrier: Carrier) {
    let isClosed = idle.withLock { idle in
      if !idle.isClosed { idle.carriers.append(carrier) }
      return idle.isClosed
    }
    if isClosed { carrier.begin(nil) }
  }

  /// Ends all threads that don't wait in the middle of a step.
  func close() {
    let carriers = idle.withLock { idle in
      defer { idle = ([], true) }
      return idle.carriers
    }
    for carrier in carriers { carrier.begin(nil) }
  }
}
