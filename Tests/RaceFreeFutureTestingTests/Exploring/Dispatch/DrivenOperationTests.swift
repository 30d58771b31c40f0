// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Operations with `isExecuting` and `isFinished` by hand, and notifications.
  @Suite(.serialized) struct DrivenOperationTests {
    private typealias Shared = DrivenCallsTests.Shared

    enum Mistake { case none, finishesBeforeStart, endsNever }

    /// An operation that goes on after `start()` has returned.
    final class Fetch: Operation, @unchecked Sendable {
      private let mistake: Mistake
      private let network: DispatchQueue
      private let lock = NSLock()
      private var (executes, hasEnded) = (false, false)
      /// The number of times that it has ended, and whether it was started after that.
      private(set) var (ends, isLate) = (0, false)

      init(_ mistake: Mistake, _ network: DispatchQueue) { (self.mistake, self.network) = (mistake, network) }

      override var isAsynchronous: Bool { true }
      // Read by the explorer's threads, one at a time, without a step.
      override var isExecuting: Bool { executes }
      override var isFinished: Bool { hasEnded }

      override func start() {
        if hasEnded { isLate = true }
        if isCancelled {
          if mistake != .endsNever { end() }
          return
        }
        change { executes = true }
        network.async { [self] in end() }
      }

      override func cancel() {
        super.cancel()
        if mistake == .finishesBeforeStart, !executes { end() }
      }

      private func end() {
        change {
          (executes, hasEnded) = (false, true)
          ends += 1
        }
      }

      private func change(_ body: () -> Void) {
        for key in ["isExecuting", "isFinished"] { willChangeValue(forKey: key) }
        lock.withLock(body)
        for key in ["isExecuting", "isFinished"] { didChangeValue(forKey: key) }
      }
    }

    @Test(.withoutRecording, arguments: zip([Mistake.none, .finishesBeforeStart, .endsNever], [59, 2, 4]))
    func `An operation of one's own ends once, after it has started`(mistake: Mistake, orders: Int) async {
      let report = await explore("\(mistake)") { scenario in
        let (queue, network, screen) = (
          OperationQueue(), DispatchQueue(label: "network"), DispatchQueue(label: "screen")
        )
        let fetch = Fetch(mistake, network)
        scenario.thread("app") {
          queue.addOperation(fetch)
          queue.waitUntilAllOperationsAreFinished()
        }
        scenario.thread("user") { screen.async { fetch.cancel() } }
        scenario.atEnd {
          fetch.isLate || fetch.ends != 1 ? "started after it ended, or ended \(fetch.ends) times" : nil
        }
      }
      let words = [
        Mistake.finishesBeforeStart: "started after it ended", .endsNever: "waits in a library",
      ]
      #expect(report.verdict == (mistake == .none ? .passed : .failed), "\(report)")
      if let words = words[mistake] { #expect(report.failure?.contains(words) == true, "\(report)") }
      #expect(report.uncontrolled == nil, "\(report)")
      #expect(report.orders == orders, "\(report)")
    }

    @Test func `An operation that another thread runs is waited for`() async {
      let (mayGoOn, running) = (DispatchSemaphore(value: 0), Shared<Operation?>(nil))
      let hasBegun = Gate("the other thread has begun")
      Thread {
        hasBegun.open()
        while true {
          mayGoOn.wait()
          guard let operation = running.value else { return }
          operation.start()
        }
      }.start()
      await hasBegun.passed()
      let explored = {
        await explore("elsewhere") { scenario in
          let operation = BlockOperation {}
          running.value = operation
          scenario.thread("a") {
            Explored.switchPoint()
            mayGoOn.signal()
            operation.waitUntilFinished()
          }
        }
      }
      var report = await explored()
      // A thread that is paused for longer than an order waits is taken for one that never comes.
      for _ in 0..<10 where report.failure?.contains("waits in a library") == true { report = await explored() }
      #expect(report.passed, "\(report)")
      running.value = nil
      mayGoOn.signal()
    }

    enum Removal: CaseIterable { case anywhere, onItsQueue, lookedFor }

    @Test(.withoutRecording, arguments: zip(Removal.allCases, [1, 6, 98]))
    func `An observer that is removed while a notification is posted`(removal: Removal, orders: Int) async {
      let report = await explore("\(removal)") { scenario in
        let (center, queue) = (NotificationCenter(), OperationQueue())
        queue.maxConcurrentOperationCount = 1
        let (isOpen, failure) = (Shared(true), Shared<String?>(nil))
        let token = Shared(
          center.addObserver(forName: Notification.Name("changed"), object: nil, queue: queue) { _ in
            // It may be queued already when it is removed, wherever that is.
            if removal == .lookedFor, !isOpen.value { return }
            if !isOpen.value { failure.value = "told after it was removed" }
          }
        )
        let (model, screen) = (DispatchQueue(label: "model"), DispatchQueue(label: "screen"))
        scenario.thread("app") { model.async { center.post(name: Notification.Name("changed"), object: nil) } }
        scenario.thread("user") {
          let close: @Sendable () -> Void = {
            center.removeObserver(token.value)
            isOpen.value = false
          }
          screen.async { if removal == .anywhere { close() } else { queue.addOperation(close) } }
        }
        scenario.atEnd { failure.value }
      }
      #expect(report.verdict == (removal == .lookedFor ? .passed : .failed), "\(report)")
      #expect(report.orders == orders && report.uncontrolled == nil, "\(report)")
    }
  }
#endif
