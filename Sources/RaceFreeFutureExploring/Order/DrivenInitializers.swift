// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

// MARK: - Initializers that run once

/// A lazy static, or a call of `pthread_once` or `dispatch_once`: it runs in the first order that needs it, and in no other.
///
/// So nobody else acts in it, as far as it needn't wait: otherwise the first order would have steps that no other has. Others
/// that need it wait for its end.
extension OrderRun {
  func isOnce(_ call: Int) -> Bool {
    call == rff_call_swift_once || call == rff_call_pthread_once || call == rff_call_dispatch_once
      || call == rff_call_dispatch_once_f
  }

  /// Waits for an initializer that another thread runs, or notes that the running one does; returns false: it is called now.
  func comesToInitializer(_ address: UInt, hasRun: Bool) -> Bool {
    let me = rff_threadNumber()
    if hasRun {
      if driven.initializers[address] == me { driven.initializers[address] = nil }
      return false
    }
    if Self.unended.withLock({ $0.contains(address) }) {
      let thread = ExploredPlace.current?.thread
      let failure = OrderFailure.unended(thread.map { "\"\(title(of: $0.line))\"" } ?? currentStep)
      if let thread { thread.fail(failure) }
      cannotWait(failure)
    }
    if let holder = driven.initializers[address] { waits(for: address, holder, me) }
    driven.initializers[address] = me
    return false
  }

  private func waits(for address: UInt, _ holder: Int32, _ me: Int32) {
    let who = threads.all.first { $0.pending != nil && $0.threadNumber == holder }.map { "\"\(title(of: $0.line))\"" }
    let reason = "waits for the end of an initializer, which \(who ?? "a step") runs"
    guard let thread = ExploredPlace.current?.thread else {
      cannotWait("\(currentStep) \(reason), and nobody else acts before it is over")
    }
    if holder == me {
      thread.fail("\"\(title(of: thread.line))\" needs in an initializer what that makes: it waits for itself")
    }
    var waits = ThreadOperation(label: { "continues after an initializer" }, touches: .anything, waits: { reason })
    waits.ways = { [self] in driven.initializers[address] == nil ? [0] : [] }
    _ = thread.take(waits)
  }

  /// Returns the way in which the running thread goes on with an operation in an initializer; nil if it isn't in one, or has to
  /// wait.
  func wayInInitializer(_ operation: ThreadOperation) -> Int? {
    guard !driven.initializers.isEmpty, failure == nil else { return nil }
    let me = rff_threadNumber()
    guard driven.initializers.values.contains(me), let way = operation.ways().first(where: { $0 >= 0 }) else {
      return nil
    }
    trail.use(operation.touches ?? .anything)
    return way
  }

  /// Notes the initializers that never end, because their threads don't.
  func leavesInitializers() {
    let left = driven.initializers.keys
    if !left.isEmpty { Self.unended.withLock { $0.formUnion(left) } }
  }

  private static let unended = Locked<Set<UInt>>([])
}
