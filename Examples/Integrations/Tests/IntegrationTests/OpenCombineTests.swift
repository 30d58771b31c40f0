// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import OpenCombine
import OpenCombineRecipe
import RaceFreeFuture
import Testing

extension IntegrationTests {
  @Suite struct OpenCombineTests {
    private struct NoFile: Error {}

    /// Subscribes and notes what comes.
    private final class Notes {
      var lines: [String] = []
      var subscription: AnyCancellable?

      init(_ publisher: AnyPublisher<Int, any Error>) {
        subscription = publisher.sink { [unowned self] in
          switch $0 {
          case .finished: lines.append("finished")
          case .failure(let error): lines.append("\(error)")
          }
        } receiveValue: { [unowned self] in
          lines.append("\($0)")
        }
      }
    }

    @Test func `a publisher publishes the value to every subscriber, and finishes`() {
      let future = ValueFuture<Int>()
      let publisher = future.publisher()
      let early = [Notes(publisher), Notes(publisher)]
      #expect(early.allSatisfy { $0.lines.isEmpty })
      future.complete(with: 7)
      #expect((early + [Notes(publisher)]).allSatisfy { $0.lines == ["7", "finished"] })
    }

    @Test func `a publisher fails with the error or the reason`() {
      let failing = ValueFuture<Int>()
      let failed = Notes(failing.publisher())
      failing.complete(throwing: NoFile())
      #expect(failed.lines == ["NoFile()"])

      let stopping = ValueFuture<Int>()
      let stopped = Notes(stopping.publisher())
      stopping.cancel()
      #expect(stopped.lines == ["CancellationError()"])
    }

    @Test(arguments: [false, true])
    func `a cancelled subscription hears nothing, and cancels the work if it should`(cancelsWork: Bool) {
      let future = ValueFuture<Int>()
      let before = "\(future)"
      let notes = Notes(future.publisher(cancelsWork: cancelsWork))
      #expect("\(future)" != before)
      notes.subscription?.cancel()
      #expect(future.isCancelled == cancelsWork)
      // It has no handlers any more.
      #expect(cancelsWork || "\(future)" == before)
      future.complete(with: 7)
      #expect(notes.lines.isEmpty)
    }

    @Test func `a value future gets the first value`() async throws {
      let subject = PassthroughSubject<Int, any Error>()
      let future = subject.firstValue()
      #expect(future.isPending)
      subject.send(7)
      subject.send(8)
      #expect(try await future.value == 7)
      #expect(try await [7, 8].publisher.firstValue().value == 7)
    }

    @Test func `a publisher that fails or finishes without a value is a failure`() async throws {
      await #expect(throws: NoFile.self) { try await Fail<Int, any Error>(error: NoFile()).firstValue().value }
      await #expect(throws: NoValueError.self) { try await Empty<Int, Never>().firstValue().value }
    }

    @Test func `a cancelled value future cancels the subscription`() {
      let subject = PassthroughSubject<Int, any Error>()
      let isCancelled = Future()
      let future = subject.handleEvents(receiveCancel: { isCancelled.complete() }).firstValue()
      #expect(isCancelled.isPending)
      future.cancel()
      #expect(isCancelled.isCompleted)
    }
  }
}
