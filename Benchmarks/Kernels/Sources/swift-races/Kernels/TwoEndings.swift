// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A result and a timeout, or a timer and its cancellation, both end the same work.

extension Kernel {
  static let twoEndings: [Kernel] = [
    Kernel("launchdarkly-428", "launchdarkly/ios-client-sdk#428", "the timer and the result both complete") { scene in
      let (client, calls) = (FlagClient(), Box(0))
      client.start { calls.withLock { $0 += 1 } }
      scene.thread("result") { scene.isMended ? client.mendedFinish() : client.didFinish() }
      scene.thread("timer") { scene.isMended ? client.mendedFinish() : client.didTimeOut() }
      scene.atEnd { calls.value == 1 ? nil : "completed \(calls.value) times" }
    },
    Kernel("orsserialport-196", "armadsen/ORSSerialPort#196", "timed out and answered, one request") { scene in
      let (port, told) = (SerialPort(), Box([String]()))
      scene.thread("timeout") { port.timeOut(isMended: scene.isMended) { told.withLock { $0.append("timeout") } } }
      scene.thread("reader") { port.receive(isMended: scene.isMended) { told.withLock { $0.append("response") } } }
      scene.atEnd { told.value.count == 1 ? nil : "the delegate heard \(told.value)" }
    },
    Kernel("rileylink-300", "ps2/rileylink_ios#300", "a group is left by the data and by the timeout") { scene in
      let (group, isWaiting) = (EnteredGroup(), Box(true))
      @Sendable func leave() {
        if isWaiting.value {
          isWaiting.value = false
          group.leave()
        }
      }
      @Sendable func mendedLeave() {
        let wasWaiting = isWaiting.withLock { isWaiting in
          defer { isWaiting = false }
          return isWaiting
        }
        if wasWaiting { group.leave() }
      }
      for name in ["data", "timeout"] { scene.thread(name) { scene.isMended ? mendedLeave() : leave() } }
      scene.atEnd { group.count == 0 ? nil : "the group's count is \(group.count)" }
    },
    Kernel("sentry-5399", "getsentry/sentry-cocoa#5399", "what timed out leaves the next one's group") { scene in
      let recorder = ReplayRecorder()
      scene.thread("encoder") { recorder.didEncode(wait: 1, isMended: scene.isMended) }
      scene.thread("caller") { recorder.giveUpAndWaitAgain() }
      scene.atEnd { recorder.entered == 1 ? nil : "the second wait ended with the first video" }
    },
    Kernel("wordpress-ios-20191", "wordpress-mobile/WordPress-iOS#20191", "success and failure for one call") { scene in
      let (group, calls) = (EnteredGroup(), Upload())
      scene.thread("response") { calls.end(isMended: scene.isMended) { group.leave() } }
      scene.thread("session") { calls.end(isMended: scene.isMended) { group.leave() } }
      scene.atEnd { group.count == 0 ? nil : "the group's count is \(group.count)" }
    },
    Kernel("ahc-backoff", "swift-server/async-http-client@7bb58e5", "a timer fires while its pool shuts down") {
      scene in
      let pool = BackoffPool()
      scene.thread("timer") { if !pool.backoffDone(isMended: scene.isMended) { scene.fail("an unknown connection") } }
      scene.thread("user") { pool.shutDown() }
    },
    Kernel("ahc-timers", "swift-server/async-http-client@0bce647", "timers are changed outside of the lock") { scene in
      let pool = TimerPool()
      scene.thread("park") { scene.isMended ? pool.mendedPark() : pool.park() }
      scene.thread("lease") { scene.isMended ? pool.mendedLease() : pool.lease() }
      scene.atEnd { pool.isRight ? nil : "a leased connection has an idle timer" }
    },
    Kernel("ahc-idle-timer", "swift-server/async-http-client@ffe36fc", "a cancelled timer may still fire") { scene in
      let handler = IdleHandler()
      let timer = scene.task("timer") { await handler.fire(number: 1, isMended: scene.isMended) }.cancellable
      scene.task("read") {
        await handler.reset()
        timer.cancel()
      }
      scene.afterwards { if await handler.isClosedWrongly { scene.fail("closed although data came") } }
    },
    Kernel("ahc-writability", "swift-server/async-http-client@1120541", "unwritable, then the end is sent") { scene in
      let machine = IdleWriteMachine()
      scene.task("channel") { await machine.becomesUnwritable() }
      scene.task("request") {
        if await !machine.sendEnd(isMended: scene.isMended) { scene.fail("a precondition failed") }
      }
    },
    Kernel("icemelt-42", "pnikolaidis/icemelt#42", "a timeout by a group waits for the loser") { scene in
      let isAnswered = Box(false)
      let reply: @Sendable () async -> Void = {
        // It can't be cancelled.
        await Task { try? await Task.sleep(for: .milliseconds(5)) }.value
        isAnswered.value = true
      }
      scene.task("caller") {
        await scene.isMended ? mendedTimeout(.milliseconds(1), reply) : timeout(.milliseconds(1), reply)
        if isAnswered.value { scene.fail("it waited for the answer") }
      }
    },
  ]
}

/// A dispatch group that was entered once; to leave it twice would end the process.
private final class EnteredGroup: Sendable {
  private let entered = Box(1)
  var count: Int { entered.value }
  func leave() { entered.withLock { $0 -= 1 } }
}

/// A client that calls its completion when it has the flags, and when that takes too long.
private final class FlagClient: Sendable {
  private let completion = Box((@Sendable () -> Void)?.none)

  func start(_ completion: @escaping @Sendable () -> Void) { self.completion.value = completion }

  func didFinish() {
    completion.value?()
    completion.value = nil
  }

  func didTimeOut() { completion.value?() }

  func mendedFinish() { completion.take()?() }
}

/// A port with one pending request, which its timer and its reader take for granted.
private final class SerialPort: Sendable {
  private let pending = Box(Int?.some(1))

  private func end(_ isMended: Bool, _ tell: () -> Void) {
    if isMended { return pending.take().map { (_: Int) in tell() } ?? () }
    guard pending.value != nil else { return }
    tell()
    pending.value = nil
  }

  func timeOut(isMended: Bool, _ tell: () -> Void) { end(isMended, tell) }
  func receive(isMended: Bool, _ tell: () -> Void) { end(isMended, tell) }
}

/// Videos are awaited with a group.
///
/// A wait that gave up is left by its video later, when the next one waits.
private final class ReplayRecorder: Sendable {
  private let groups = Box((entered: 1, wait: 1))

  var entered: Int { groups.value.entered }

  func giveUpAndWaitAgain() { groups.value = (1, 2) }

  func didEncode(wait: Int, isMended: Bool) {
    groups.withLock { groups in
      if isMended, groups.wait != wait { return }
      groups.entered -= 1
    }
  }
}

/// A call whose parser reports a failure, although the session reports a success.
private final class Upload: Sendable {
  private let isDone = Box(false)

  func end(isMended: Bool, _ leave: () -> Void) {
    if isMended {
      let wasDone = isDone.withLock { isDone in
        defer { isDone = true }
        return isDone
      }
      if !wasDone { leave() }
    } else {
      leave()
    }
  }
}

/// A pool that waits before it connects again.
///
/// Its shutdown forgets the connection, and the timer asks for it.
private final class BackoffPool: Sendable {
  private let state = Box((isRunning: true, backingOff: Set([1])))

  /// Returns false if the connection isn't known: a failed precondition.
  func backoffDone(isMended: Bool) -> Bool {
    state.withLock { state in
      if isMended, !state.isRunning { return true }
      return state.backingOff.remove(1) != nil
    }
  }

  func shutDown() { state.withLock { $0 = (false, []) } }
}

/// The state of a pool is locked, but the timers follow after that.
private final class TimerPool: Sendable {
  private let state = Box((isIdle: false, hasTimer: false))
  private let timers = Box(false)

  func park() {
    state.withLock { $0.isIdle = true }
    timers.value = true
  }

  func lease() {
    guard state.withLock({ $0.isIdle }) else { return }
    state.withLock { $0.isIdle = false }
    timers.value = false
  }

  func mendedPark() {
    state.withLock { state in
      state.isIdle = true
      timers.value = true
    }
  }

  func mendedLease() {
    state.withLock { state in
      guard state.isIdle else { return }
      state.isIdle = false
      timers.value = false
    }
  }

  var isRight: Bool { state.value.isIdle == timers.value }
}

/// An event loop on which a timer that is cancelled may be about to fire already.
private actor IdleHandler {
  private var number = 1
  private(set) var isClosedWrongly = false

  func reset() { number += 1 }

  func fire(number: Int, isMended: Bool) {
    if isMended, number != self.number { return }
    isClosedWrongly = number != self.number
  }
}

/// A request's end is sent while the channel isn't writable, which was thought to be impossible.
private actor IdleWriteMachine {
  private enum State { case waitingForEnd, waitingForWritability, sent }
  private var state = State.waitingForEnd

  func becomesUnwritable() { if state == .waitingForEnd { state = .waitingForWritability } }

  /// Returns false for a failed precondition.
  func sendEnd(isMended: Bool) -> Bool {
    if state == .waitingForWritability, !isMended { return false }
    state = .sent
    return true
  }
}

/// A group ends when all of its children have ended, also those that don't listen.
private func timeout(_ time: Duration, _ body: @escaping @Sendable () async -> Void) async {
  await withTaskGroup { group in
    group.addTask { await body() }
    group.addTask { try? await Task.sleep(for: time) }
    await group.next()
    group.cancelAll()
  }
}

private func mendedTimeout(_ time: Duration, _ body: @escaping @Sendable () async -> Void) async {
  let (ends, end) = AsyncStream<Void>.makeStream()
  let work = Task {
    await body()
    end.yield()
  }
  let timer = Task {
    try? await Task.sleep(for: time)
    end.yield()
  }
  for await _ in ends { break }
  work.cancel()
  timer.cancel()
}
