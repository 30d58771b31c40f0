// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

// MARK: - The moments of recorded calls

/// A call of a thread begins with the first step that the thread takes in it: its code before that could as well run later.
extension OrderRun: MomentCounter {
  func callBegins() -> CallMoment {
    let moment = CallMoment()
    if isOwnThread, let thread = ExploredPlace.current?.thread, thread.carrier == nil {
      moments.open[thread.line, default: []].append(moment)
    } else {
      moment.time = nextMoment()
    }
    return moment
  }

  func callEnds() -> UInt64 {
    guard isOwnThread, let thread = ExploredPlace.current?.thread else { return nextMoment() }
    callsBegin(on: thread.line)
    if thread.carrier == nil { moments.released.learn(threads.memory.release(by: thread.number)) }
    return nextMoment()
  }

  /// Tells the threads whose next step begins a call of what the calls did that have ended: these come before it in time.
  func learnEnds() {
    for line in moments.open.keys {
      if let thread = threads.byLine[line] { threads.memory.acquire(moments.released, by: thread.number) }
    }
  }

  /// Notes that a thread takes a step.
  func callsBegin(on line: Int) {
    guard !moments.open.isEmpty, let begun = moments.open.removeValue(forKey: line) else { return }
    for moment in begun { moment.time = nextMoment() }
  }

  private func nextMoment() -> UInt64 {
    moments.count += 1
    // The order of beginnings and ends is a result of the order.
    if isOwnThread, running != nil, !hasEnded { trail.use(Footprint(.named("recorded calls"), .write)) }
    return moments.count
  }
}

/// The moments of recorded calls of an order.
struct Moments {
  var count: UInt64 = 0
  /// What the threads knew whose calls have ended.
  var released = MemoryModel.Knowledge()
  /// The calls that have begun and whose threads haven't taken a step since, by their lines.
  var open: [Int: [CallMoment]] = [:]
}
