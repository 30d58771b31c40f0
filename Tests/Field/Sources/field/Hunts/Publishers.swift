// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import OpenCombine
import OpenCombineDispatch
import RaceFreeFutureTesting

extension Hunt {
  private static let version = "OpenCombine"

  /// Publishers on real locks and queues.
  static let publishers = [
    Hunt(
      name: "combine.completion",
      package: version,
      type: "`PassthroughSubject`",
      property: "A subscriber that comes during the completion is told of it once",
      tool: "explore"
    ) {
      await exploredThreads("sink against send(completion:)") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let (got, kept) = (Shared<[Int]>([]), Shared<AnyCancellable?>(nil))
        scenario.thread("subscriber") { kept.value = collect(subject, in: got) }
        scenario.thread("sender") {
          subject.send(1)
          subject.send(completion: .finished)
        }
        scenario.atEnd { got.value == [1, 0] || got.value == [0] ? nil : "it got \(got.value)" }
      }
    },
    Hunt(
      name: "combine.current-value",
      package: version,
      type: "`CurrentValueSubject`",
      property: "A subscriber's last element is the subject's value, though one is sent while it comes",
      tool: "explore",
      known: ["and the subject has 2"],
      remark: """
        The value is read under the lock, and delivered behind it, when a newer one has been. No report found. \
        `upstream stale-value` shows it without a tool.
        """
    ) {
      await exploredThreads("sink against send(_:)") { scenario in
        let subject = CurrentValueSubject<Int, Never>(1)
        let (got, kept) = (Shared<[Int]>([]), Shared<AnyCancellable?>(nil))
        scenario.thread("subscriber") { kept.value = collect(subject, in: got) }
        scenario.thread("sender") { subject.send(2) }
        scenario.atEnd { got.value.last == 2 ? nil : "it got \(got.value), and the subject has \(subject.value)" }
      }
    },
    Hunt(
      name: "combine.future",
      package: version,
      type: "`Future`",
      property: "A subscriber that comes while the promise is kept gets its value and its end once",
      tool: "explore"
    ) {
      await exploredThreads("sink against the promise") { scenario in
        let promise = Shared<OpenCombine.Future<Int, Never>.Promise?>(nil)
        let future = OpenCombine.Future<Int, Never> { promise.value = $0 }
        let (got, kept) = (Shared<[Int]>([]), Shared<AnyCancellable?>(nil))
        scenario.thread("subscriber") { kept.value = collect(future, in: got) }
        scenario.thread("promise") { promise.value?(.success(1)) }
        scenario.atEnd { got.value == [1, 0] ? nil : "it got \(got.value)" }
      }
    },
    Hunt(
      name: "combine.share",
      package: version,
      type: "`share()`",
      property: "Two threads that subscribe at once share one subscription, and each gets each element once",
      tool: "explore",
      known: ["it subscribed 2 times"],
      remark: """
        Whoever finds it disconnected connects it, outside of the lock, and ends the other's connection. No report found. \
        `upstream shared-twice` shows it without a tool.
        """
    ) {
      await exploredThreads("two subscribers") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let subscriptions = Shared(0)
        let shared = subject.handleEvents(receiveSubscription: { _ in subscriptions.value += 1 }).share()
        let got = Shared<[Int]>([])
        let kept = Shared<[AnyCancellable]>([])
        for name in ["first", "second"] { scenario.thread(name) { kept.value.append(collect(shared, in: got)) } }
        scenario.atEnd {
          subject.send(1)
          guard subscriptions.value != 1 || got.value != [1, 1] else { return nil }
          return "it subscribed \(subscriptions.value) times, and 1 arrived \(got.value.count) times at two"
        }
      }
    },
    Hunt(
      name: "combine.zip",
      package: version,
      type: "`zip`",
      property: "Elements of two threads are paired in order, and it ends once, with the first to end",
      tool: "explore",
      known: ["Attempted to read an unowned reference"],
      remark: """
        When it has ended, an end that is on its way comes to an object that is gone. \
        Known as [OpenCombine #241](https://github.com/OpenCombine/OpenCombine/issues/241), open.
        """
    ) {
      await exploredThreads("two senders") { scenario in
        let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let got = Shared<[Int]>([])
        let kept = collect(left.zip(right).map { 10 * $0 + $1 }, in: got)
        scenario.thread("left") {
          left.send(1)
          left.send(completion: .finished)
        }
        scenario.thread("right") {
          right.send(2)
          right.send(completion: .finished)
        }
        scenario.atEnd {
          defer { kept.cancel() }
          return got.value == [12, 0] ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.flat-map",
      package: version,
      type: "`flatMap`",
      property: "It ends once, when its base and the inner publisher have ended",
      tool: "explore"
    ) {
      await exploredThreads("the base against the inner one") { scenario in
        let (base, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let got = Shared<[Int]>([])
        let kept = collect(base.flatMap { _ in inner }, in: got)
        base.send(1)
        scenario.thread("base") { base.send(completion: .finished) }
        scenario.thread("inner") {
          inner.send(2)
          inner.send(completion: .finished)
        }
        scenario.atEnd {
          defer { kept.cancel() }
          return got.value == [2, 0] ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.latest",
      package: version,
      type: "`switchToLatest`",
      property: "It ends once, and nothing of an earlier publisher arrives behind the later one",
      tool: "explore",
      known: ["it got [2, 1, 0]"],
      remark: "Whose an element is is checked under a lock, and it is delivered behind it. No report found."
    ) {
      await exploredThreads("a switch against the earlier one") { scenario in
        let base = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let got = Shared<[Int]>([])
        let kept = collect(base.switchToLatest(), in: got)
        base.send(first)
        scenario.thread("base") {
          base.send(second)
          second.send(2)
          base.send(completion: .finished)
          second.send(completion: .finished)
        }
        scenario.thread("first") {
          first.send(1)
          first.send(completion: .finished)
        }
        scenario.atEnd {
          defer { kept.cancel() }
          return [[2, 0], [1, 2, 0]].contains(got.value) ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.receive-on",
      package: version,
      type: "`receive(on:)`",
      property: "What a thread sends arrives on the queue, in order, and the end behind it",
      tool: "explore"
    ) {
      await exploredThreads("two senders and a queue") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "queue")
        let got = Shared<[Int]>([])
        let kept = collect(subject.receive(on: queue), in: got, on: queue)
        scenario.thread("a") {
          subject.send(1)
          subject.send(2)
        }
        scenario.thread("b") { subject.send(3) }
        scenario.atEnd {
          defer { kept.cancel() }
          return [[1, 2, 3], [1, 3, 2], [3, 1, 2]].contains(got.value) ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.receive-on-global",
      package: version,
      type: "`receive(on:)`",
      property: "On a concurrent queue as well, the one element of a future arrives",
      tool: "explore",
      known: ["it got [0]"],
      remark: """
        The end may overtake the element, which is dropped then. \
        Known as [OpenCombine #234](https://github.com/OpenCombine/OpenCombine/issues/234), open.
        """
    ) {
      await exploredThreads("a future and a global queue") { scenario in
        let promise = Shared<OpenCombine.Future<Int, Never>.Promise?>(nil)
        let future = OpenCombine.Future<Int, Never> { promise.value = $0 }
        let got = Shared<[Int]>([])
        let kept = collect(future.receive(on: DispatchQueue.global()), in: got)
        scenario.thread("promise") { promise.value?(.success(1)) }
        scenario.atEnd {
          defer { kept.cancel() }
          return got.value.sorted() == [0, 1] ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.receive-on-cancel",
      package: version,
      type: "`receive(on:)`",
      property: "Once it is cancelled on its queue, nothing arrives there",
      tool: "explore",
      known: ["behind the cancellation"],
      remark: """
        When the end has been sent, `cancel()` does nothing. No report found. \
        `upstream received-cancelled` shows it without a tool.
        """
    ) {
      await exploredThreads("cancel on the queue against send") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "queue")
        let (isCancelled, late) = (Shared(false), Shared(0))
        let kept = Shared(
          subject.receive(on: queue)
            .map { _ in late.value += isCancelled.value ? 1 : 0 }
            .sink {}
        )
        scenario.thread("sender") {
          subject.send(1)
          subject.send(completion: .finished)
        }
        scenario.thread("canceller") {
          queue.async {
            kept.value.cancel()
            isCancelled.value = true
          }
        }
        scenario.atEnd { late.value == 0 ? nil : "an element arrives behind the cancellation" }
      }
    },
    Hunt(
      name: "combine.delay",
      package: version,
      type: "`delay`",
      property: "What is sent arrives after the delay, in order, and the end behind it",
      tool: "explore"
    ) {
      await exploredThreads("delayed elements and a queue") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "queue")
        let got = Shared<[Int]>([])
        let kept = collect(subject.delay(for: .seconds(1), scheduler: queue), in: got, on: queue)
        scenario.thread("sender") {
          subject.send(1)
          subject.send(2)
          subject.send(completion: .finished)
        }
        scenario.atEnd {
          defer { kept.cancel() }
          return got.value == [1, 2, 0] ? nil : "it got \(got.value)"
        }
      }
    },
    Hunt(
      name: "combine.debounce",
      package: version,
      type: "`debounce`",
      property: "The last element arrives once",
      tool: "explore"
    ) {
      await exploredThreads("a pause behind two elements") { scenario in
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "queue")
        let got = Shared<[Int]>([])
        let kept = collect(subject.debounce(for: .milliseconds(1), scheduler: queue), in: got, on: queue)
        scenario.thread("sender") {
          subject.send(1)
          subject.send(2)
          queue.sync {}
        }
        scenario.atEnd {
          defer { kept.cancel() }
          return got.value.count { $0 == 2 } <= 1 ? nil : "it got \(got.value)"
        }
      }
    },
  ]
}

/// Collects what a publisher sends, and 0 for its end.
private func collect<Source: Publisher>(
  _ source: Source,
  in got: Shared<[Int]>,
  on queue: DispatchQueue? = nil
) -> AnyCancellable where Source.Output == Int, Source.Failure == Never {
  source.sink { _ in
    if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
    got.value.append(0)
  } receiveValue: {
    if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
    got.value.append($0)
  }
}
