// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Act while nothing changes

// Called by `CancellableWork`.
extension Future {
  /// Runs a block in its turn; this returns at once.
  @usableFromInline
  func enqueueBlock(_ body: @escaping @Sendable () -> Void) {
    enqueue(PerformBlock(of: self, body))
  }

  /// Runs a block in its turn, and suspends the calling task until it has returned.
  func suspendForBlock(_ body: @escaping @Sendable () -> Void) async {
    let wait = beginWait()
    defer { endWait(wait) }
    await withCheckedContinuation { continuation in
      enqueue(PerformBlock(of: self, resume: { continuation.resume() }, body))
    }
  }

  /// Runs a block in its turn, and blocks the calling thread until it has returned.
  @usableFromInline
  func runInTurn(_ body: () -> Void) {
    if holdsTurn || isUnresolvable { return body() }
    process { _ = $0.performBegan() }
    // A queue that is bound to a thread, as the main queue is, runs the block there.
    let context = Context.captured()
    enqueueAndWait {
      Context.run(in: context, body)
      endPerform()
    }
  }

  private func enqueue(_ block: PerformBlock) {
    if isUnresolvable { return Scheduling.runElsewhere { block.run() } }
    if process({ $0.performBegan() }) {
      // Handlers that were added earlier are on their way to the queue: the block must not overtake them.
      _ = register(HandlerNode(nil, .serialQueue, role: .library, .plain { block.run() }))
    } else {
      enqueue(.perform) { block.run() }
    }
  }
}

/// A `perform` block on its way to its turn.
///
/// `@unchecked Sendable`: written before the object is given to the queue, and taken by the one thread that runs it
/// there.
private final class PerformBlock: @unchecked Sendable {
  private let future: Future
  private var body: (@Sendable () -> Void)?
  /// Resumes the task that waits for the block; captures no user object: none may be released after the block.
  private var resume: (@Sendable () -> Void)?

  init(of future: Future, resume: (@Sendable () -> Void)? = nil, _ body: @escaping @Sendable () -> Void) {
    self.future = future
    self.resume = resume
    self.body = Hooks.isOn(.context) ? Context.carried(body) : body
  }

  func run() {
    // Released before the block counts as ended: decisions that a deinit makes then are made inside of it, and take
    // effect with the rest (invariant M3).
    body.take()?()
    let resume = resume.take()
    if !future.isUnresolvable { return future.endPerform(resume: resume) }
    if let resume { Resumption.perform(resume) }
  }
}
