// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture

/// The calls of a thread that may be inside each other without an end: the closures of stages, and the effects of the
/// end of an object, which may be the end of the next, and so on along a chain of any length.
///
/// None of them exhausts the stack (law L10). A call runs at once, unless those around it have used up much of the
/// stack: then the outermost call runs it when its own body has returned, or a wait on this thread runs it before it
/// blocks.
///
/// The calls of a thread are a list on its own stack: so they cost no allocation. The list also tells which futures
/// wait for a thread that is about to block: background and lazy work are among the calls.
///
/// Safe: the pointers of the list point to variables of calls that haven't returned. `call` removes each before it
/// returns, and only the thread itself ever accesses them.
@safe
struct Trampoline {
  /// The size of the stack that calls inside each other may use, in bytes: a Dispatch thread has 512 KB.
  private static let stackLimit = 96 << 10

  /// The future that is worked for; nil for none, and after the work for it has ended.
  ///
  /// Not retained: a stage keeps its target while it answers, and `work` its future.
  private var future: Unmanaged<Future>?
  private let outer: UnsafeMutablePointer<Trampoline>?
  /// The outermost of the calls around this one, or itself; nil for work.
  ///
  /// Work may run forever, so nothing inside of it can be left to a call further out, nor to the work.
  private var outermost: UnsafeMutablePointer<Trampoline>?
  /// The stack position at the beginning.
  private let start = rff_stackPosition()
  /// What was left to this one, which is the outermost.
  private var left = Queue<() -> Void>()

  private init(for future: Future?) {
    unsafe self.future = future.map(Unmanaged.passUnretained)
    unsafe outer = Self.innermost
  }

  /// The innermost call of the calling thread.
  private static var innermost: UnsafeMutablePointer<Trampoline>? {
    get { unsafe rff_currentTrampoline()?.assumingMemoryBound(to: Trampoline.self) }
    set { unsafe rff_setCurrentTrampoline(newValue) }
  }

  /// The futures that the running thread works for, the innermost last: none of them is resolved before the thread
  /// continues.
  static var futures: [Future] {
    var futures: [Future] = []
    var call = unsafe innermost
    while let current = unsafe call {
      if let future = unsafe current.pointee.future { unsafe futures.append(future.takeUnretainedValue()) }
      unsafe call = current.pointee.outer
    }
    return futures.reversed()
  }

  // MARK: Calling

  /// Runs an action, as a rule before this returns; no lock may be held.
  static func run(_ action: @escaping () -> Void) {
    if isDeep { return leave(action) }
    unsafe call(for: nil) { this in
      action()
      unsafe runLeft(to: this)
    }
  }

  /// Runs the closure of a stage, and returns the answer for its target, unless that has been decided.
  static func run(_ stage: Stage, _ resolution: Resolution) -> Resolution? {
    // One for a queue would lose its queue.
    if stage.runsInline, isDeep {
      leave { stage.target.decide(byLink: stage.run(resolution)) }
      return nil
    }
    return unsafe call(for: stage.target) { this in
      let answer = stage.answer(to: resolution)
      guard unsafe !this.pointee.left.isEmpty else { return answer }
      // The rest is no longer done for this future.
      unsafe this.pointee.future = nil
      // First its own answer, for which what was left may wait.
      stage.target.decide(byLink: answer)
      unsafe runLeft(to: this)
      return nil
    }
  }

  /// Runs the work of a background or lazy future.
  static func work<Result>(for future: Future?, _ body: () -> Result) -> Result {
    withExtendedLifetime(future) { unsafe call(for: future, isWork: true) { _ in body() } }
  }

  /// Runs everything that was left to calls of this thread: it is about to block, perhaps until some of that is done.
  static func runBeforeBlocking() {
    var call = unsafe innermost
    while let current = unsafe call {
      // None of the calls could run it sooner.
      if unsafe !current.pointee.left.isEmpty { work(for: nil) { unsafe runLeft(to: current) } }
      unsafe call = current.pointee.outer
    }
  }

  /// Calls the body with an element of the list that is the innermost.
  @inline(__always)
  private static func call<Result>(
    for future: Future?,
    isWork: Bool = false,
    _ body: (_ this: UnsafeMutablePointer<Trampoline>) -> Result
  ) -> Result {
    var storage = Trampoline(for: future)
    return unsafe withUnsafeMutablePointer(to: &storage) { this in
      if !isWork { unsafe this.pointee.outermost = this.pointee.outer?.pointee.outermost ?? this }
      unsafe innermost = this
      defer { unsafe innermost = this.pointee.outer }
      return unsafe body(this)
    }
  }

  /// True if the calls around the next one have used up much of the stack.
  private static var isDeep: Bool {
    guard let outermost = unsafe innermost?.pointee.outermost else { return false }
    return unsafe outermost.pointee.start - rff_stackPosition() >= stackLimit
  }

  private static func leave(_ action: @escaping () -> Void) {
    unsafe innermost?.pointee.outermost?.pointee.left.append(action)
  }

  private static func runLeft(to call: UnsafeMutablePointer<Trampoline>) {
    while let next = unsafe call.pointee.left.popFirst() { next() }
  }
}
