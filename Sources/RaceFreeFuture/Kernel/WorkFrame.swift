// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureRuntime

/// Work for a future that a thread is running: background or lazy work, or a closure that makes one future from
/// another.
///
/// The frames of a thread are a list on its own stack, like the calls that they belong to: so they cost no allocation.
/// They have two purposes. They tell which futures wait for a thread that is about to block (`WaitGraph`). And closures
/// that run inside each other don't exhaust the stack (S4): the thread is a trampoline. A stage that is nested too
/// deeply isn't run but left to the outermost one, which runs it when its own closure, and those between the two, have
/// returned.
///
/// Safe: the pointers of the list point to frames of calls that haven't returned. `run` removes the frame before it
/// returns, and only the thread itself ever accesses its frames.
@safe
struct WorkFrame {
  /// The number of nested stages on one thread above which the next one has to wait.
  ///
  /// High enough that hardly any program reaches it, and low enough for the half megabyte of a pool's thread.
  static let depthLimit = 16

  /// The future that is worked for; nil after its work has ended.
  private var future: Future?
  private let outer: UnsafeMutablePointer<WorkFrame>?
  /// The number of stages that are nested here, including this one; 0 if it isn't a stage, and those inside are counted
  /// from the start.
  ///
  /// Work may run forever, so stages nested in it can't be left to a frame further out.
  private let depth: Int
  /// The stages that were left to this one.
  private var deferred = Queue<DeferredStage>()

  private init(for future: Future?, depth: Int, in outer: UnsafeMutablePointer<WorkFrame>?) {
    self.future = future
    self.depth = depth
    unsafe self.outer = outer
  }

  // MARK: The thread's list

  /// The innermost frame of the calling thread.
  private static var innermost: UnsafeMutablePointer<WorkFrame>? {
    get { unsafe rff_currentWorkFrame()?.assumingMemoryBound(to: WorkFrame.self) }
    set { unsafe rff_setCurrentWorkFrame(newValue) }
  }

  /// Calls the body with this frame as the innermost one.
  private mutating func run<Result>(_ body: (_ frame: UnsafeMutablePointer<WorkFrame>) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { frame in
      unsafe WorkFrame.innermost = frame
      defer { unsafe WorkFrame.innermost = frame.pointee.outer }
      return unsafe body(frame)
    }
  }

  /// The futures that the running thread works for, the innermost last: none of them is resolved before the thread
  /// continues.
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

  /// Runs the work of a background or lazy future.
  static func work(for future: Future, _ body: () -> Resolution) -> Resolution {
    var frame = unsafe WorkFrame(for: future, depth: 0, in: innermost)
    return unsafe frame.run { _ in body() }
  }

  /// Runs a closure that makes a future, or leaves it to the outermost one if many are nested on this thread (S4).
  ///
  /// Returns the answer for the future, unless that has been decided.
  static func run(_ stage: Stage, _ resolution: Resolution) -> Resolution? {
    let outer = unsafe innermost
    let depth = unsafe (outer?.pointee.depth ?? 0) + 1
    guard depth <= depthLimit || !stage.isDeferrable else {
      leave(DeferredStage(stage: stage, resolution: resolution))
      return nil
    }
    var frame = unsafe WorkFrame(for: stage.target, depth: depth, in: outer)
    return unsafe frame.run { frame in
      let answer = stage.answer(to: resolution)
      // The rest is no longer done for this future.
      unsafe frame.pointee.future = nil
      guard unsafe !frame.pointee.deferred.isEmpty else { return answer }
      // First its own answer, which the deferred stages may wait for.
      stage.target.decide(byLink: answer)
      unsafe runDeferred(of: frame)
      return nil
    }
  }

  /// Leaves a stage to the outermost one.
  private static func leave(_ stage: DeferredStage) {
    var frame = unsafe innermost
    while let current = unsafe frame, unsafe current.pointee.depth > 1 { unsafe frame = current.pointee.outer }
    unsafe frame?.pointee.deferred.append(stage)
  }

  /// Runs the deferred stages of this thread before it blocks: it may wait for one of them.
  static func runDeferred() {
    var frame = unsafe innermost
    while let current = unsafe frame {
      unsafe frame = current.pointee.outer
      guard unsafe !current.pointee.deferred.isEmpty else { continue }
      // None of the thread's current frames could run them sooner.
      var here = unsafe WorkFrame(for: nil, depth: 0, in: innermost)
      unsafe here.run { _ in unsafe runDeferred(of: current) }
    }
  }

  private static func runDeferred(of frame: UnsafeMutablePointer<WorkFrame>) {
    while let next = unsafe frame.pointee.deferred.popFirst() {
      next.stage.target.decide(byLink: next.stage.run(next.resolution))
    }
  }
}

/// A stage that has its turn and waits until the stack is lower.
private struct DeferredStage {
  let stage: Stage
  let resolution: Resolution
}

extension Trampoline {
  /// Runs everything that was deferred on the calling thread, stages included: it is about to block, perhaps until some
  /// of that is done.
  static func runBeforeBlocking() {
    repeat { WorkFrame.runDeferred() } while runWaiting()
  }
}
