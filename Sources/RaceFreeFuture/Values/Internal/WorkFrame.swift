// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Work for a future in the midst of which a thread is: background or lazy work, or a closure that makes one future from
/// another.
///
/// The frames of a thread are a list on its own stack, as the calls are to which they belong: so they cost no
/// allocation. They serve two purposes. A thread that is about to block knows from them which futures wait for it
/// (`WaitGraph`). And closures that run inside each other don't exhaust the stack (law L10): the thread is a trampoline.
/// A stage that is nested too deeply isn't run but left to the outermost one, which runs it when its own closure has
/// returned, and the closures between the two as well.
///
/// Safe: the pointers of the list point to frames of calls that haven't returned. `run` takes the frame off before it
/// returns, and only the thread itself ever comes to its frames.
@safe
struct WorkFrame {
  /// How many stages of one thread are inside each other before the next one has to wait.
  ///
  /// Enough that hardly any program comes to it, and few enough for the half megabyte of a pool's thread.
  static let depthLimit = 16

  /// The future that is worked for; nil: none any more.
  private var future: Future?
  private let outer: UnsafeMutablePointer<WorkFrame>?
  /// How many stages are nested here, this one included; 0: it isn't a stage, and those inside begin to count anew.
  ///
  /// Work may go on for ever, so what is nested in it can't be left to somebody further out.
  private let depth: Int
  /// The stages that were left to this one.
  private var deferred = Queue<DeferredStage>()

  private init(for future: Future?, depth: Int, in outer: UnsafeMutablePointer<WorkFrame>?) {
    self.future = future
    self.depth = depth
    unsafe self.outer = outer
  }

  // MARK: The thread's list

  /// Where each thread has its innermost frame.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    guard unsafe pthread_key_create(&key, nil) == 0 else { fatalError("there are no more thread-specific keys") }
    return key
  }()

  private static var innermost: UnsafeMutablePointer<WorkFrame>? {
    get { unsafe pthread_getspecific(key)?.assumingMemoryBound(to: WorkFrame.self) }
    set { _ = unsafe pthread_setspecific(key, newValue) }
  }

  /// Calls the body with this frame as the innermost one.
  private mutating func run<Result>(_ body: (_ frame: UnsafeMutablePointer<WorkFrame>) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { frame in
      unsafe WorkFrame.innermost = frame
      defer { unsafe WorkFrame.innermost = frame.pointee.outer }
      return unsafe body(frame)
    }
  }

  /// The futures that the running thread works for, the innermost last: none of them is resolved before the thread goes
  /// on.
  static var futures: [Future] {
    var futures: [Future] = []
    var frame = unsafe innermost
    while let current = unsafe frame {
      if let future = unsafe current.pointee.future { futures.append(future) }
      unsafe frame = current.pointee.outer
    }
    return futures.reversed()
  }

  // MARK: Working

  /// Does the work of a background or lazy future.
  static func work(for future: Future, _ body: () -> Resolution) -> Resolution {
    var frame = unsafe WorkFrame(for: future, depth: 0, in: innermost)
    return unsafe frame.run { _ in body() }
  }

  /// Runs a closure that makes a future, or leaves it to the outermost one if this thread is inside many.
  ///
  /// Returns what is to become of the future, unless that has been seen to.
  static func run(_ stage: Stage, _ resolution: Resolution) -> DeferredDecision? {
    let outer = unsafe innermost
    let depth = unsafe (outer?.pointee.depth ?? 0) + 1
    guard depth <= depthLimit || !stage.isDeferrable else {
      leave(DeferredStage(stage: stage, resolution: resolution))
      return nil
    }
    var frame = unsafe WorkFrame(for: stage.target, depth: depth, in: outer)
    return unsafe frame.run { frame in
      let decision = stage.answer(to: resolution)
      // What comes now isn't done for this future any more.
      unsafe frame.pointee.future = nil
      guard unsafe !frame.pointee.deferred.isEmpty else { return decision }
      // First its own, which those that were left may wait for.
      unsafe runDeferred(of: frame, after: decision)
      return nil
    }
  }

  /// Leaves a stage to the outermost one.
  private static func leave(_ stage: DeferredStage) {
    // The source has done its part, and isn't kept until then (K1).
    stage.stage.target.process { _ in stage.stage.forget() }
    var frame = unsafe innermost
    while let current = unsafe frame, unsafe current.pointee.depth > 1 { unsafe frame = current.pointee.outer }
    unsafe frame?.pointee.deferred.append(stage)
  }

  /// Runs the stages that were left on this thread, before it blocks: it may be that it waits for one of them.
  static func runDeferred() {
    var frame = unsafe innermost
    while let current = unsafe frame {
      unsafe frame = current.pointee.outer
      guard unsafe !current.pointee.deferred.isEmpty else { continue }
      // None of those that the thread is in could run them sooner.
      var here = unsafe WorkFrame(for: nil, depth: 0, in: innermost)
      unsafe here.run { _ in unsafe runDeferred(of: current, after: nil) }
    }
  }

  private static func runDeferred(of frame: UnsafeMutablePointer<WorkFrame>, after decision: DeferredDecision?) {
    // Nobody here knows whose private queues the thread has further out, so tasks are resumed from another one.
    var decisions = DecisionQueue(isOnPrivateQueue: true)
    if let decision { decisions.append(decision) }
    decisions.run()
    while let next = unsafe frame.pointee.deferred.popFirst() {
      if let decision = next.stage.run(next.resolution) { decisions.append(decision) }
      decisions.run()
    }
  }
}

/// A stage that has its turn and waits until the stack is lower.
private struct DeferredStage {
  let stage: Stage
  let resolution: Resolution
}
