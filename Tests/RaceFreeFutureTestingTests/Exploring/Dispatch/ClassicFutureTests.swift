// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux) && !RFF_TSAN
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Code in the style of 2011, explored as it is: a future on a serial queue with a lock, and a loader of images.
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
    final class ImageLoader: @unchecked Sendable {
      typealias Callback = @Sendable (String) -> Void
      typealias Download = @Sendable (String, @escaping Callback) -> Void

      private let queue = DispatchQueue(label: "images")
      private var images: [String: String] = [:]
      private var waiting: [String: [Callback]] = [:]
      private let download: Download

      init(download: @escaping Download) { self.download = download }

      /// Calls back with an image, which is downloaded once.
      func load(_ name: String, _ callback: @escaping Callback) {
        queue.async { [self] in
          if let image = images[name] { return callback(image) }
          waiting[name, default: []].append(callback)
          if waiting[name]?.count == 1 { download(name) { self.finish(name, $0) } }
        }
      }

      private func finish(_ name: String, _ image: String) {
        let callbacks = queue.sync { waiting[name] ?? [] }
        for callback in callbacks { callback(image) }
        queue.async { [self] in
          images[name] = image
          waiting[name] = nil
        }
      }
    }

    @Test(.withoutRecording) func `Who asks while an image arrives is forgotten`() async {
      let report = await RaceFreeFutureTesting.explore("everybody gets the image") { scenario in
        let network = DispatchQueue(label: "network")
        let loader = ImageLoader { name, callback in network.async { callback("a picture of a \(name)") } }
        let (lock, calls) = (NSLock(), Calls())
        for name in ["list", "detail"] {
          scenario.thread(name) { loader.load("cat") { _ in lock.withLock { calls.completions += 1 } } }
        }
        scenario.atEnd { calls.completions == 2 ? nil : "\(2 - calls.completions) of 2 never got the image" }
      }
      #expect(report.failure?.hasPrefix("1 of 2 never got the image") == true, "\(report)")
      #expect(report.orders == 11, "\(report)")
    }
  }
#endif
