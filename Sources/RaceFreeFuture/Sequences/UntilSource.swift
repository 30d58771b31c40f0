// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What asks for the next element: without the types of the sequence, which a child task may not know.
///
/// `@unchecked Sendable`, with the class below: it belongs to the task that iterates, which asks for one element after the
/// other. While that waits for a child task, it belongs to the child.
class ElementSource: @unchecked Sendable {
  func ask(isolation actor: isolated (any Actor)?) async {}
}

/// The iterator of a sequence, as one sees it who stops with a future.
final class UntilSource<Base: AsyncSequence>: ElementSource, @unchecked Sendable {
  enum Step {
    case element(Base.Element)
    /// The base has ended, or its end has been told.
    case over
    /// The end that comes with the cancellation; told once.
    case cancelled
  }

  let token: CancelToken
  private let ending: SequenceEnding
  /// Nil when it has ended.
  private var iterator: Base.AsyncIterator?
  /// What the child has found.
  private var answer = Result<Base.Element?, Base.Failure>.success(nil)
  /// Whether that came before the future was decided.
  private var isFirst = true

  init(_ iterator: Base.AsyncIterator, _ token: CancelToken, _ ending: SequenceEnding) {
    self.iterator = iterator
    self.token = token
    self.ending = ending
  }

  func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Step {
    guard iterator != nil else { return .over }
    if ending == .finish, token.isCancelled {
      iterator = nil
      return .cancelled
    }
    let source: ElementSource = self
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await source.ask(isolation: actor) }
      await group.waitForAll()
    }
    // Not kept here any longer than by the caller.
    let answer = answer
    self.answer = .success(nil)
    switch answer {
    case .success(let element?):
      return .element(element)
    case .success(nil):
      iterator = nil
      return isFirst || !token.isCancelled ? .over : .cancelled
    case .failure(let error):
      iterator = nil
      if !isFirst, token.isCancelled, error is CancellationError { return .cancelled }
      throw error
    }
  }

  /// In a child task, which is cancelled with the future.
  override func ask(isolation actor: isolated (any Actor)?) async {
    (_, isFirst) = await token.cancellingRunningTask {
      do throws(Base.Failure) {
        answer = .success(try await iterator?.next(isolation: actor))
      } catch {
        answer = .failure(error)
      }
    }
  }
}
