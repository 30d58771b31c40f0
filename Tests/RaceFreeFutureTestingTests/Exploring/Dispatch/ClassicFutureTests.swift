// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Code in the style of 2011, explored as it is: a future on a serial queue with a lock, and a store of images.
  @Suite(.serialized) struct ClassicFutureTests {
    /// RXFuture, after its description: one block of the queue decides, callers add handlers.
    ///
    /// Guarded by its lock and its queue: that makes it `@unchecked Sendable`.
    private final class ClassicFuture: @unchecked Sendable {
      typealias Handler = @Sendable () -> Void

      /// The mistakes that it may have.
      enum Mistake: String, Sendable {
        case lateHandler, lateCancel, none
      }

      private let mistake: Mistake
      private let queue = DispatchQueue(label: "future")
      private let lock = NSLock()
      private var (isCompleted, isCancelled) = (false, false)
      private var (onCompletion, onCancellation): ([Handler], [Handler]) = ([], [])

      init(_ mistake: Mistake) { self.mistake = mistake }

      func onComplete(_ handler: @escaping Handler) {
        if mistake == .lateHandler {
          // It may complete between the question and the answer.
          if lock.withLock({ isCompleted }) { return queue.async(execute: handler) }
          return lock.withLock { onCompletion.append(handler) }
        }
        let isLate = lock.withLock {
          if !isCompleted { onCompletion.append(handler) }
          return isCompleted
        }
        if isLate { queue.async(execute: handler) }
      }

      func onCancel(_ handler: @escaping Handler) {
        let isLate = lock.withLock {
          if !isCancelled { onCancellation.append(handler) }
          return isCancelled
        }
        if isLate { queue.async(execute: handler) }
      }

      func complete() {
        queue.async { [self] in
          if mistake == .lateCancel {
            // It may be cancelled between the question and the answer.
            if lock.withLock({ isCancelled || isCompleted }) { return }
            return call(lock.withLock { decide(completes: true) })
          }
          call(lock.withLock { isCancelled || isCompleted ? [] : decide(completes: true) })
        }
      }

      func cancel() {
        call(lock.withLock { isCancelled || isCompleted ? [] : decide(completes: false) })
      }

      /// Called in the lock; returns the handlers to call.
      private func decide(completes: Bool) -> [Handler] {
        if completes { isCompleted = true } else { isCancelled = true }
        return completes ? onCompletion : onCancellation
      }

      private func call(_ handlers: [Handler]) { for handler in handlers { queue.async(execute: handler) } }
    }

    /// What was called; used by one thread of an order at a time, which makes it `@unchecked Sendable`.
    private final class Calls: @unchecked Sendable {
      var (completions, cancellations) = (0, 0)
    }

    private static func explore(_ mistake: ClassicFuture.Mistake) async -> Exploration {
      await RaceFreeFutureTesting.explore("a future of 2011, \(mistake)") { scenario in
        let (future, calls) = (ClassicFuture(mistake), Calls())
        scenario.thread("worker") { future.complete() }
        scenario.thread("user") {
          future.onComplete { calls.completions += 1 }
          if mistake != .lateHandler { future.cancel() }
        }
        scenario.thread("view") { future.onCancel { calls.cancellations += 1 } }
        scenario.atEnd {
          let sum = calls.completions + calls.cancellations
          return sum == 1 ? nil : sum == 0 ? "nobody was told" : "told twice"
        }
      }
    }

    @Test(.withoutRecording) func `A handler that is added while it completes is lost`() async {
      let report = await Self.explore(.lateHandler)
      #expect(report.failure?.hasPrefix("nobody was told") == true, "\(report)")
    }

    @Test(.withoutRecording) func `A cancellation in the middle of completing is told of as well`() async {
      let report = await Self.explore(.lateCancel)
      #expect(report.failure?.hasPrefix("told twice") == true, "\(report)")
    }

    @Test func `The mended one tells one of both`() async {
      let report = await Self.explore(.none)
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
    }

    // MARK: The page

    /// As the page "Exploring Dispatch code" has it.
    final class ImageStore: @unchecked Sendable {
      private let queue = DispatchQueue(label: "prefetch")
      private let lock = NSLock()
      private var images: [String: String] = [:]
      private let download: @Sendable (String) -> String

      init(download: @escaping @Sendable (String) -> String) { self.download = download }

      /// Returns an image, which is downloaded once.
      func image(_ name: String) -> String {
        if let image = lock.withLock({ images[name] }) { return image }
        let image = download(name)
        lock.withLock { images[name] = image }
        return image
      }

      /// Downloads an image before somebody asks for it.
      func prefetch(_ name: String, completion: @escaping @Sendable (String) -> Void) {
        queue.async { [self] in
          let image = image(name)
          DispatchQueue.main.async { completion(image) }
        }
      }

      /// Forgets all images when memory is short.
      func removeAll() { lock.withLock { images.removeAll() } }
    }

    @Test(.withoutRecording) func `Two who ask for an image at once download it twice`() async {
      let report = await RaceFreeFutureTesting.explore("an image is downloaded once") { scenario in
        let (lock, calls) = (NSLock(), Calls())
        let store = ImageStore { name in
          lock.withLock { calls.completions += 1 }
          return "a picture of a \(name)"
        }
        for view in ["list", "detail"] { scenario.thread(view) { _ = store.image("cat") } }
        scenario.atEnd { calls.completions == 1 ? nil : "downloaded twice" }
      }
      #expect(report.failure?.hasPrefix("downloaded twice") == true, "\(report)")
      #expect(report.orders == 3, "\(report)")
    }
  }
#endif
