// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import Dispatch
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

// MARK: - Other threads

extension OrderRun {
  /// Notes if another thread has resumed a task of this order.
  func noteTouched() {
    guard let task = RuntimeControl.touchedTasks.take({ jobs.tasks[$0] != nil }) else { return }
    others.note(.work(line: jobs.tasks[task]?.line ?? 0))
  }

  /// Takes the jobs that other threads have queued meanwhile.
  func takeForeign() {
    for (job, place) in others.takeJobs() {
      let function = TaskLayout.known == nil || job.kind != .task ? nil : TaskLayout.functions(of: job.address).first
      receive(job, at: place)
      others.note(.work(line: latest ?? 0, in: function?.words))
    }
  }

  /// Called when nothing can continue: gives other threads a moment, if some task may wait for them.
  func waitsForOthers() -> Bool {
    let hasStarted = others.intrusion.withLock { $0?.isStart ?? false }
    guard taskScenario != nil || hasStarted || !driven.waits.isEmpty, !isAlone else { return false }
    // After one intrusion others may follow.
    let moments = others.intrusion.withLock { $0 }.map { $0.isStart ? 1 : 20 } ?? 1
    return VirtualTime.withRealTime {
      let end = ContinuousClock.now + Self.moment * moments
      let turn = CurrentThread.processorTime + Self.turn * moments
      // Looks again and again, because a task that ends elsewhere sends no job.
      while hasUnfinished || isOver.contains(false) {
        // They may have given back what a thread waits for.
        rff_acceptSignals()
        if !readyThreads.isEmpty { return true }
        let isLate = ContinuousClock.now >= end
        if isLate, CurrentThread.processorTime >= turn { return false }
        if others.waitForJobs(until: isLate ? .now() : .after(.milliseconds(5))) { return true }
      }
      return false
    }
  }

  /// The least time that other threads have to continue a task.
  private static let moment = Duration.milliseconds(200)
  /// The time on a core, in nanoseconds, that each of them has had as well when this one has had it, however busy the
  /// machine is.
  private static let turn = 50_000_000

  /// True if others than the explorer ran a part of the order.
  var hasLeft: Bool {
    switch others.intrusion.withLock({ $0 }) {
    case .leaves, .starts: true
    case .work, .wait: taskScenario != nil
    case nil: false
    }
  }

  /// The way in which an order wasn't controlled; nil if it was, or if that is its failure.
  var departure: String? {
    switch others.intrusion.withLock({ $0 }) {
    case .leaves(let words): return words
    case .starts(let line, let words, let callers):
      return "\(line.map { "\"\(title(of: $0))\"" } ?? "the scenario") \(words)\(SymbolTable.place(of: callers))"
    case _ where taskScenario == nil: return nil
    case .work(let line, let function):
      let place = function.map { " (in \($0))" } ?? ""
      return "\"\(title(of: line))\" was resumed by another thread\(place)"
    case .wait(let future): return "another thread awaits \(future.name)"
    case nil where TaskLayout.known == nil:
      return "this runtime isn't known, and makes some hops of actors without a job"
    case nil: return nil
    }
  }
}
