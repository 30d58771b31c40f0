// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Foundation
internal import RaceFreeFuture

/// The handlers that are called when one progress is cancelled.
///
/// A progress has a single place for a handler, and reading it and setting it are two steps. So only the thread that
/// makes this object performs them, once; all others add their handlers here. The handler keeps this object: if the
/// handler is replaced, this object is released, and the next call of `add` makes another.
package final class ProgressAttachments: Sendable {
  typealias Handler = @Sendable () -> Void

  private struct State {
    /// In the order of the numbers.
    var handlers: [UInt64: Handler] = [:]
    var next: UInt64 = 0
    /// The handler that the progress had, until it is called.
    var previous: Handler?
    var isInstalled = false
    /// True if `cancel` was called while the handler was being installed.
    var isToBeCancelled = false
  }

  /// An entry of the register, which keeps neither of the two.
  private final class Entry: Sendable {
    weak let attachments: ProgressAttachments?
    init(_ attachments: ProgressAttachments) { self.attachments = attachments }
  }

  /// Guards the attachments, by progress; an entry may belong to a released progress at the same address.
  private static let register = Locked<[ObjectIdentifier: Entry]>([:])

  private let id: ObjectIdentifier
  private let progress: WeakProgress
  /// Guards the handlers, which are called outside.
  private let state = Locked(State())

  private init(_ progress: ProgressBox) {
    id = ObjectIdentifier(progress.progress)
    self.progress = WeakProgress(progress.progress)
  }

  deinit {
    let successor = Self.register.withLock { register in
      let successor = register[id]?.attachments
      if successor == nil { register[id] = nil }
      return successor
    }
    _ = consume successor
  }

  /// Adds a handler that is called when the progress is cancelled, once, unless the result has been released before.
  ///
  /// If the progress is cancelled already, or meanwhile, the handler is called at once.
  static func add(to progress: ProgressBox, _ handler: @escaping Handler) -> ProgressAttachment {
    while true {
      // Used and released outside of the lock: this may be the last reference.
      let found = register.withLock { $0[ObjectIdentifier(progress.progress)]?.attachments }
      if let found, found.progress.object === progress.progress {
        let number = found.add(handler)
        // The installing thread may have checked before this handler was added.
        if progress.progress.isCancelled { found.take(number)?() }
        return ProgressAttachment(found, number)
      }
      let new = ProgressAttachments(progress)
      let current = register.withLock { register in
        let current = register[new.id]?.attachments
        if current === found { register[new.id] = Entry(new) }
        return current
      }
      guard current === found else { continue }
      let number = new.add(handler)
      new.install(in: progress)
      return ProgressAttachment(new, number)
    }
  }

  /// Returns the number of handlers of a progress.
  package static func handlerCount(of progress: Progress) -> Int {
    let found = register.withLock { $0[ObjectIdentifier(progress)]?.attachments }
    return found?.state.withLock { $0.handlers.count } ?? 0
  }

  /// Cancels the progress; if the handler is being installed, the installation does it.
  func cancel(_ progress: ProgressBox) {
    let isInstalled = state.withLock { state in
      if !state.isInstalled { state.isToBeCancelled = true }
      return state.isInstalled
    }
    if isInstalled { progress.cancel() }
  }

  func remove(_ number: UInt64) { _ = take(number) }

  private func add(_ handler: @escaping Handler) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
  }

  private func take(_ number: UInt64) -> Handler? {
    state.withLock { $0.handlers.removeValue(forKey: number) }
  }

  /// Replaces the handler of the progress; the old one is called at most once, in any order of cancellations.
  ///
  /// A cancellation calls the current handler. Before the first check that is the old one, and it stays. After the
  /// second it is the new one, or none, and the new one calls the old one; Foundation also calls the new one when it is
  /// set. In between it is unknown which; then the old one isn't called here.
  private func install(in progress: ProgressBox) {
    let progress = progress.progress
    let old = progress.cancellationHandler
    if !progress.isCancelled {
      if old != nil {
        progress.cancellationHandler = nil
        if !progress.isCancelled { state.withLock { $0.previous = old } }
      }
      progress.cancellationHandler = { self.fire() }
    }
    let isToBeCancelled = state.withLock { state in
      state.isInstalled = true
      return state.isToBeCancelled
    }
    if isToBeCancelled, !progress.isCancelled { progress.cancel() }
    // A cancellation before the handler was installed hasn't called it.
    if progress.isCancelled { fire() }
  }

  /// Calls the handler that the progress had, and then all others, each at most once.
  private func fire() {
    let (previous, handlers) = state.withLock { state in
      defer { (state.previous, state.handlers) = (nil, [:]) }
      return (state.previous, state.handlers)
    }
    previous?()
    for (_, handler) in handlers.sorted(by: { $0.key < $1.key }) { handler() }
  }
}

/// One handler of a progress; when this object is released, the progress forgets the handler.
final class ProgressAttachment: Sendable {
  private weak let attachments: ProgressAttachments?
  private let number: UInt64

  fileprivate init(_ attachments: ProgressAttachments, _ number: UInt64) {
    self.attachments = attachments
    self.number = number
  }

  deinit { attachments?.remove(number) }

  /// Cancels the progress.
  func cancel(_ progress: ProgressBox) {
    if let attachments { attachments.cancel(progress) } else { progress.cancel() }
  }
}

/// `@unchecked Sendable`: other threads get the progress from code that shares it already, and it is made to be shared;
/// not every Foundation declares it.
final class ProgressBox: @unchecked Sendable {
  let progress: Progress

  init(_ progress: Progress) { self.progress = progress }

  func cancel() {
    if !progress.isCancelled { progress.cancel() }
  }

  func finish() {
    guard !progress.isCancelled, !progress.isFinished else { return }
    if progress.totalUnitCount <= 0 { progress.totalUnitCount = 1 }
    progress.completedUnitCount = progress.totalUnitCount
  }
}

/// `@unchecked Sendable`: as above.
private final class WeakProgress: @unchecked Sendable {
  weak let object: Progress?

  init(_ object: Progress) { self.object = object }
}
