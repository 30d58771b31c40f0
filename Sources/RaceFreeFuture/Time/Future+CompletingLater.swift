// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete after a delay

extension Future {
  /// Creates a future that completes after an interval, unless it is resolved earlier.
  ///
  /// The future completes on a thread that Dispatch provides, where inline handlers run. The timer keeps the future
  /// alive, and is disarmed and released at the outcome. In tests, it follows virtual time.
  ///
  /// - Parameters:
  ///   - interval: The interval. Time during which the machine sleeps may not count. If it is zero or less, the future
  ///     is created completed. If it is over a century, the future stays pending.
  ///   - label: A name for descriptions and errors.
  /// - Returns: The new future.
  public static func completing(
    after interval: Duration,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Future {
    let future = Future(label: label, fileID: fileID, line: line)
    future.wait(for: interval) { $0.complete() }
    return future
  }

  /// Calls a closure with this future after an interval, unless the future is resolved earlier.
  ///
  /// The closure must not keep the future, which keeps it: a scheduler may end before the timer fires.
  func wait(for interval: Duration, then complete: @escaping @Sendable (Future) -> Void) {
    guard interval > .zero else { return complete(self) }
    guard interval.passes else { return }
    let now = presentInstant
    let instant = now.advanced(by: interval)
    let timer = TimedNode(.call(complete), from: now, to: instant)
    guard process({ $0.add(timer) }) else { return }
    Timers.shared.set(timer, for: self, at: now) { instant }
  }
}
