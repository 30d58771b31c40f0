// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureRuntime

/// A trampoline for the effects of the end of an object, which may be the end of the next, and so on along a chain of
/// any length, without exhausting the stack (law L10).
///
/// An action runs at once, on the calling thread. It is deferred only when others have used up much of the stack: then
/// the outermost one runs it when its own action has returned, or a blocking wait on this thread runs it before it
/// blocks.
enum Trampoline {
  /// The size of the stack that nested actions may use, in bytes: a Dispatch thread has 512 KB.
  private static let stackLimit = 96 << 10

  /// The calling thread's actions; the thread keeps their address (`rff_currentTrampoline`) while the outermost one runs.
  private struct Run {
    /// The stack position at its beginning.
    let start: Int
    var waiting: [() -> Void] = []
  }

  /// Runs the action, as a rule before this returns; no lock may be held.
  static func run(_ action: @escaping () -> Void) {
    // Safe: the address is that of a variable of a caller further up on this very thread, which erases it before the
    // variable's lifetime ends; and no reference to the variable is held while an action runs.
    guard let address = unsafe rff_currentTrampoline() else { return runOutermost(action) }
    let run = unsafe address.assumingMemoryBound(to: Run.self)
    let used = unsafe run.pointee.start - rff_stackPosition()
    guard used < stackLimit else { return unsafe run.pointee.waiting.append(action) }
    action()
  }

  /// Runs the deferred actions of the calling thread; false if there were none.
  static func runWaiting() -> Bool {
    guard let address = unsafe rff_currentTrampoline() else { return false }
    let run = unsafe address.assumingMemoryBound(to: Run.self)
    guard unsafe !run.pointee.waiting.isEmpty else { return false }
    while let next = unsafe run.pointee.waiting.popLast() { next() }
    return true
  }

  private static func runOutermost(_ action: () -> Void) {
    var storage = Run(start: rff_stackPosition())
    unsafe withUnsafeMutablePointer(to: &storage) { run in
      unsafe rff_setCurrentTrampoline(run)
      action()
      while let next = unsafe run.pointee.waiting.popLast() { next() }
      rff_setCurrentTrampoline(nil)
    }
  }
}
