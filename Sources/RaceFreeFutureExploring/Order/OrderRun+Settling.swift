// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFutureTestingTools

extension OrderRun {
  /// Suspends the running task until nothing else can continue.
  func settle() async {
    guard isOwnThread, let task = currentTask, let line = jobs.tasks[task]?.line else {
      fatalError("settle() was called by a task that no exploration controls: nobody knows when nothing is left to do")
    }
    // The explorer's own continuation is no point.
    let wasBusy = rff_setBusy(true)
    await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      _ = rff_setBusy(wasBusy)
      jobs.settling.insert(line)
      jobs.settlers.insert(line)
      // An item is removed from its line once, and run once.
      let goOn: @Sendable () -> Void = { [unowned self] in
        comesAfterAll(line)
        jobs.settling.remove(line)
        latest = nil
        jobs.isWaking = true
        unsafe continuation.resume()
        jobs.isWaking = false
        if latest == line { runLatest() }
      }
      add(WorkLines.Item(label: { "settles" }, isReady: { true }, run: goOn), to: line)
    }
  }

  /// Notes that the running step depends on all others: it comes after those before it in any case, unless somebody else
  /// waits in the same way.
  private func comesAfterAll(_ line: Int) {
    guard reduction == .ofTasks else { return }
    trail.use(.anything)
    guard jobs.settlers == [line] else { return }
    let last = Dictionary(zip(trail.on, trail.on.indices), uniquingKeysWith: { $1 })
    for step in last.values { comes(after: step) }
  }
}
