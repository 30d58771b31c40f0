// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// The work of a background or lazy future: run once, by whoever starts it first, or never, if the future is resolved
/// before.
///
/// `@unchecked Sendable`: `work` belongs to whoever moves `state` away from `idle` and `queued`.
final class Job: @unchecked Sendable {
  private var work: (@Sendable (CancelToken) -> Resolution)?
  private let state = Atomic<UInt>(State.idle)

  /// The values of `state`; any other is the identity of the thread that runs the work, which is even and not 0.
  private enum State {
    static let idle: UInt = 0  // → queued, running, over
    static let queued: UInt = 1  // → running, over
    static let over: UInt = 3
  }

  init(_ work: @escaping @Sendable (CancelToken) -> Resolution) {
    self.work = work
  }

  /// Lets go of the work at the future's outcome if it has not started by then.
  func drop(atOutcomeOf future: Future) {
    // Not retained: the future must not keep a job that keeps it in turn. Whoever may start the job keeps both.
    let node = HandlerNode(nil, .inline, role: .library, .plain { [weak self] in self?.drop() })
    _ = future.register(node)
  }

  /// Starts the work on a global queue, unless somebody has.
  func start(for future: Future, qos: DispatchQoS.QoSClass = .default) {
    guard advance(from: State.idle, to: State.queued) else { return }
    if let queue = future.conductedQueue {
      let work = ConductedWork(place: .anyThread, kind: .job, future: queue) { [self] in run(for: future) }
      return queue.conductor.enqueue(work)
    }
    DispatchQueue.global(qos: qos).async { [self] in run(for: future) }
  }

  /// Runs the work on this thread, unless it has started or the future is resolved.
  func run(for future: Future) {
    let thread = ThreadIdentity.current.rawValue
    guard future.isPending, advance(from: State.queued, to: thread) || advance(from: State.idle, to: thread) else {
      return
    }
    let resolution = takeWork()?(future.cancelToken)
    state.store(State.over, ordering: .releasing)
    if let resolution { future.decide(resolution) }
  }

  /// The thread that runs the work.
  var runner: UInt? {
    let state = state.load(ordering: .acquiring)
    return state == State.idle || state == State.queued || state == State.over ? nil : state
  }

  private func drop() {
    if advance(from: State.idle, to: State.over) || advance(from: State.queued, to: State.over) { _ = takeWork() }
  }

  private func advance(from old: UInt, to new: UInt) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  private func takeWork() -> (@Sendable (CancelToken) -> Resolution)? {
    exchange(&work, with: nil)
  }
}

/// Where the value of a value future comes from, as far as that is known: so that it can be asked for, and so that
/// work which waits for itself is noticed.
enum Origin: Sendable {
  /// Somebody will complete it.
  case promise
  /// Work that starts when the value is asked for.
  case lazy(Job)
  /// Work that was started.
  case started(Job)
  /// Work that others need, from which this one was made.
  case derived([Job])

  var jobs: [Job] {
    switch self {
    case .promise: []
    case .lazy(let job), .started(let job): [job]
    case .derived(let jobs): jobs
    }
  }

  /// The origin of a future that is made from several: each job once, however they are entangled.
  static func derived(from origins: [Origin]) -> Origin {
    var known: Set<ObjectIdentifier> = []
    return .derived(origins.flatMap(\.jobs).filter { known.insert(ObjectIdentifier($0)).inserted })
  }

  /// The origin of a future that is made from this one.
  var derived: Origin {
    switch self {
    case .promise, .derived: self
    case .lazy(let job), .started(let job): .derived([job])
    }
  }
}
