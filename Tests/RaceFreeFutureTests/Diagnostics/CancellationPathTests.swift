// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct CancellationPathTests {
  @Test func `a future that was cancelled by a call of its own has no path`() {
    let future = Future(label: "a")
    #expect(future.cancellation == nil)
    future.cancel()
    #expect(future.cancellation?.path == [])
    let completed = Future(label: "b")
    completed.complete()
    #expect(completed.cancellation == nil)
  }

  @Test func `a cancellation tells through which futures it came`() {
    let session = Future(label: "session")
    let download = Future(linkedTo: session)
    let line = #line - 1
    let file = Future(linkedTo: download, label: "file")
    session.cancel(throwing: Reason("closed"))
    #expect(session.cancellation?.path == [])
    #expect(download.cancellation?.path == ["session"])
    #expect(file.cancelToken.cancellation?.path == ["session", "made at \(#fileID):\(line)"])
    let path = "session → made at \(#fileID):\(line)"
    #expect(file.description == "Future(\"file\", cancelled (\(Reason("closed")), through \(path)))")
    #expect(reason(file.cancellationReason) == Reason("closed"))
  }

  @Test func `all kinds of links tell it, also those to a future that was cancelled before`() throws {
    for isEarlier in [false, true] {
      /// What comes at the end of a link when its source is cancelled.
      func path(_ link: (Future) -> Future) -> [String] {
        let source = Future(label: "source")
        if isEarlier { source.cancel() }
        let target = link(source)
        source.cancel()
        #expect(target.isCancelled)
        return target.cancellation?.path ?? []
      }
      let other = Future()
      let links: [(Future) -> Future] = [
        { Future(linkedTo: $0) },
        { Future(linkedTo: Future(), $0) },
        { source in
          let other = Future()
          source.cascadeCancellation(to: other)
          return other
        },
        { source in
          let outer = Future()
          outer.passControl(to: source)
          return outer
        },
        { source in
          let inner = Future()
          source.passControl(to: inner)
          return inner
        },
        { Future.all([other, $0]) },
        { Future.any([$0]) },
      ]
      for link in links { #expect(path(link) == ["source"]) }
    }
  }

  @Test func `values tell it in both directions`() {
    let source = ValueFuture<Int>(label: "source")
    let derived = source.map { $0 + 1 }
    source.cancel()
    #expect(derived.cancellation?.path == ["source"])
    let asked = ValueFuture<Int>(label: "asked")
    asked.map(label: "mapped") { $0 }.cancel()
    #expect(asked.cancellation?.path == ["mapped"])
    let limited = ValueFuture<Int>(label: "limited")
    let timed = limited.timeout(after: .zero, label: "timed")
    #expect(limited.cancellation?.path == [] && timed.cancellation?.path == ["limited"], "it ends the work itself")
    #expect((timed.cancellationReason as? TimeoutError)?.label == "timed")
  }

  @Test func `the reason is the same error at the end of a path`() async throws {
    let session = Future(label: "session")
    let download = Future(linkedTo: session, label: "download 3")
    let file = ValueFuture<Int>(label: "file")
    download.cascadeCancellation(to: file)
    session.cancel(after: .seconds(0))
    let error = await #expect(throws: TimeoutError.self) { try await file.value }
    #expect(error == TimeoutError(interval: .seconds(0), label: "session"))
    #expect(error?.description == "timed out after 0.0 seconds: session")
    let path = "session → download 3"
    #expect(
      file.description
        == "ValueFuture<Int>(\"file\", cancelled (timed out after 0.0 seconds: session, through \(path)))"
    )
    await #expect(throws: TimeoutError.self) { try await download.value }
    #expect(throws: TimeoutError.self) { try file.checkCancellation() }
  }

  @Test func `an abandonment is the same error at the end of a path`() {
    var completer = Optional(Future.makeCompleter(label: "worker"))
    let child = Future(linkedTo: completer?.future ?? Future(), label: "child")
    let grandchild = Future(linkedTo: child)
    let origin = completer?.future
    completer = nil
    let (own, far) = (origin?.cancellationReason as? AbandonedError, grandchild.cancellationReason as? AbandonedError)
    #expect(own != nil && own == far)
    #expect(far?.description == own?.description && grandchild.cancellation?.path == ["worker", "child"])
  }

  @Test func `of a long path the first three names are told, and that there are more`() {
    let first = Future(label: "0")
    var futures = [first]
    for index in 1...100_000 { futures.append(Future(linkedTo: futures[index - 1], label: "\(index)")) }
    first.cancel()
    #expect(futures[3].cancellation?.path == ["0", "1", "2"])
    for index in [4, 5, 100_000] { #expect(futures[index].cancellation?.path == ["0", "1", "2", "…"]) }
    withExtendedLifetime(futures) {}
  }

  @Test func `the path keeps none of the futures`() {
    weak var weakParent: Future?
    let child: Future
    do {
      let parent = Future(label: "parent")
      weakParent = parent
      child = Future(linkedTo: parent)
      parent.cancel()
    }
    #expect(weakParent == nil)
    #expect(child.cancellation?.path == ["parent"])
  }
}
