// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// The work of a background or lazy future: run once, by the first call that starts it, or never, if the future is
/// resolved first.
///
/// - **J1** Work runs at most once. `state` reaches `taken` once, and never goes back.
/// - **J2** Work that is cancelled before its start never runs. The outcome takes it (`drop`).
///
/// `@unchecked Sendable`: `work` belongs to the thread that moves `state` to `taken`.
final class Job: @unchecked Sendable {
  private var work: (@Sendable (CancelToken) -> Resolution)?
  private let state = Atomic(State.idle)

  private enum State: UInt8, AtomicRepresentable {
    case idle  // → queued, taken
    case queued  // → taken
    case taken
  }

  init(_ work: @escaping @Sendable (CancelToken) -> Resolution) {
    self.work = Hooks.isOn(.context) ? Context.carried(work) : work
  }

  deinit {
    // The closure may hold the last reference to the next job, and so on (law L10).
    guard work != nil else { return }
    var last = exchange(&work, with: nil)
    // Released inside of the call, which would otherwise hold it until it has returned.
    Trampoline.run {
      withExtendedLifetime(last) {}
      last = nil
    }
  }

  /// Releases the work at the future's outcome if it has not started by then (J2).
  func drop(atOutcomeOf future: Future) {
    // Not retained: the future must not keep a job that keeps it in turn. Code that may start the job keeps both.
    let node = HandlerNode(nil, .inline, role: .library, .plain { [weak self] in self?.drop() })
    _ = future.register(node)
  }

  /// Starts the work on a global queue, unless it has been started.
  func start(for future: Future, qos: DispatchQoS.QoSClass = .default) {
    guard advance(from: .idle, to: .queued) else { return }
    future.startWork(qos: qos) { [self] in run(for: future) }
  }

  /// Runs the work on this thread, unless it has started or the future is resolved.
  func run(for future: Future) {
    // Before the check: if the future is resolved after that, a wait for its end includes the work. (L12)
    future.keepOpen()
    defer { future.letGo() }
    guard future.isPending, let resolution = doWork(for: future) else { return }
    future.decide(resolution)
  }

  /// Runs the work and releases it, before the outcome.
  private func doWork(for future: Future) -> Resolution? {
    guard let work = takeWork() else { return nil }
    return Trampoline.work(for: future) { CurrentFuture.runOutside { work(future.cancelToken) } }
  }

  private func drop() { _ = takeWork() }

  /// Takes the work, unless it has been taken.
  private func takeWork() -> (@Sendable (CancelToken) -> Resolution)? {
    // In the order in which the states follow each other, so that none is missed (J1).
    guard advance(from: .idle, to: .taken) || advance(from: .queued, to: .taken) else { return nil }
    return exchange(&work, with: nil)
  }

  private func advance(from old: State, to new: State) -> Bool {
    // Relaxed: one thread alone touches the work, and others got the job after it.
    state.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }
}
