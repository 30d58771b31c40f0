// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Deadlines

// What `CancellableWork` calls.
extension Future {
  @usableFromInline
  func setDeadline(
    at instant: ContinuousClock.Instant,
    _ reason: (any Error)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Deadline {
    let (now, site) = (presentInstant, CancellationSites.site(fileID, line))
    return setDeadline(at: instant, max(.zero, now.duration(to: instant)), from: now, reason, site)
  }

  @usableFromInline
  func setDeadline(
    after interval: Duration,
    _ reason: (any Error)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Deadline {
    let (now, site) = (presentInstant, CancellationSites.site(fileID, line))
    return setDeadline(at: now.advanced(by: interval.clamped), interval, from: now, reason, site)
  }

  private func setDeadline(
    at instant: ContinuousClock.Instant,
    _ interval: Duration,
    from now: ContinuousClock.Instant,
    _ reason: (any Error)?,
    _ site: CreationSite?
  ) -> Deadline {
    guard isPending, !isUnresolvable, interval.passes else { return Deadline(over: instant) }
    guard interval > .zero else {
      let reason = reason ?? TimeoutError(interval: interval, label: name, deadline: instant)
      decide(.cancelled(reason, at: site))
      return Deadline(over: instant)
    }
    let timer = DeadlineTimer(of: self, from: now, to: instant)
    // The timer holds the future, the future holds the node and the node the timer. Whoever comes first of outcome,
    // `unregister()` and the timer itself wins the node's claim and stops the timer, which releases the closure. When
    // the timer wins, its node counts as running until the cancellation has been made: so `unregisterAndWait()` waits
    // for that.
    let isSet = process { $0.add(timer) }
    timer.timer.start(after: interval) { [self] in deadlineCame(timer, throwing: reason, at: site) }
    // Stopped before it was started: a scheduler has it all the same.
    if !isSet || timer.node.isOver { timer.stop() }
    return isSet ? Deadline(self, timer, at: instant) : Deadline(over: instant)
  }

  /// The earliest deadline of the future and of all whose cancellation reaches it.
  ///
  /// A work list instead of recursion, and one lock at a time. Those that were found are kept until the end, so that
  /// none of them is taken for a later one; then they are released one by one.
  @usableFromInline
  var earliestDeadline: ContinuousClock.Instant? {
    var (earliest, found) = process { $0.deadlinesAhead }
    guard !found.isEmpty else { return earliest }
    var known: Set = [ObjectIdentifier(self)]
    var next = 0
    while next < found.count {
      let future = found[next]
      next += 1
      guard known.insert(ObjectIdentifier(future)).inserted else { continue }
      let (own, others) = future.process { $0.deadlinesAhead }
      if let own { earliest = earliest.map { min($0, own) } ?? own }
      found += others
    }
    return earliest
  }
}

// What `Deadline` calls.
extension Future {
  /// The present instant of the clock that the future's deadlines follow.
  var presentInstant: ContinuousClock.Instant { scheduledQueue?.scheduler.instant ?? .now }

  /// Moves a deadline; false if it isn't in force any more.
  func move(
    _ timer: DeadlineTimer,
    _ next: (_ instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) -> Bool {
    let now = presentInstant
    let (isMoved, setsTimer) = process { $0.move(timer, to: next(timer.instant, now)) }
    if setsTimer { setAnew(timer) }
    return isMoved
  }

  /// Sets the timer until it is set to what is asked for by then; for the one thread that was told so.
  func setAnew(_ timer: DeadlineTimer) {
    while let instant = process({ $0.nextSetting(of: timer) }) {
      timer.timer.restart(after: max(.zero, presentInstant.duration(to: instant)))
    }
  }

  /// Takes a deadline back; false if it has had its end.
  func remove(_ timer: DeadlineTimer) -> Bool {
    guard timer.node.revoke() else { return false }
    process { $0.removeDeadline(timer) }
    timer.stop()
    return true
  }
}
