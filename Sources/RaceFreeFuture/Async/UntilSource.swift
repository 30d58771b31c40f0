// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An object that requests the next element, without the types of the sequence, which a child task may not know.
///
/// `@unchecked Sendable`, with the class below: it belongs to the task that iterates, which requests one element after
/// the other. While that waits for a child task, it belongs to the child.
class ElementSource: @unchecked Sendable {
  func ask(isolation actor: isolated (any Actor)?) async {}
}

/// The iterator of a sequence that ends with a future.
final class UntilSource<Base: AsyncSequence>: ElementSource, @unchecked Sendable {
  private let token: CancelToken
  /// The iterator; nil when it has ended.
  private var iterator: Base.AsyncIterator?
  /// The result of the child task.
  private var answer = Result<Base.Element?, Base.Failure>.success(nil)
  /// True if the future had been cancelled when the result came.
  private var isCancelled = false

  init(_ iterator: Base.AsyncIterator, _ token: CancelToken) {
    self.iterator = iterator
    self.token = token
  }

  func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Base.Element? {
    guard iterator != nil else { return nil }
    if token.isCancelled {
      iterator = nil
      return nil
    }
    let source: ElementSource = self
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await source.ask(isolation: actor) }
      await group.waitForAll()
    }
    // Not kept here longer than by the caller.
    let answer = answer
    self.answer = .success(nil)
    switch answer {
    case .success(let element?):
      return element
    case .success(nil):
      iterator = nil
      return nil
    case .failure(let error):
      iterator = nil
      if isCancelled, error is CancellationError { return nil }
      throw error
    }
  }

  /// Runs in a child task, which is cancelled with the future.
  override func ask(isolation actor: isolated (any Actor)?) async {
    let (_, reason) = await token.cancellingRunningTask {
      do throws(Base.Failure) {
        answer = .success(try await iterator?.next(isolation: actor))
      } catch {
        answer = .failure(error)
      }
    }
    isCancelled = reason != nil
  }
}
