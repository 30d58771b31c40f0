// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

extension SignalTests {
  @Suite(.exitTests) struct SignalCancellationTests {
    init() { UsedSignal.prepare() }

    private var formerEffects: Int { UsedSignal.formerEffects }

    @Test func `a signal cancels, and the next one has its former effect`() async throws {
      let work = Future()
      work.cancel(on: [UsedSignal.signal], throwing: Reason("stopped"))
      #expect(!UsedSignal.isAsBefore && work.isPending)
      UsedSignal.send()
      _ = await work.outcome
      #expect(reason(work.cancellationReason) == Reason("stopped"))
      #expect(UsedSignal.isAsBefore && formerEffects == 0)
      UsedSignal.send()
      try await eventually("it has its former effect") { formerEffects == 1 }
    }

    @Test func `the signals have their former effect when the work has ended, whatever its end`() async throws {
      let ended = [{ @Sendable (work: Future) in work.complete() }, { $0.cancel() }]
      for end in ended {
        let work = Future()
        work.cancel(on: [UsedSignal.signal])
        #expect(!UsedSignal.isAsBefore)
        end(work)
        #expect(UsedSignal.isAsBefore)
        work.cancel(on: [UsedSignal.signal])
        #expect(UsedSignal.isAsBefore, "there is nothing to cancel")
      }
      let value = ValueFuture<Int>()
      value.cancel(on: [UsedSignal.signal])
      value.complete(with: 1)
      CancelToken.never.cancel(on: [UsedSignal.signal])
      #expect(UsedSignal.isAsBefore)
    }

    @Test func `one that is unregistered leaves the signals alone, and lets the work go`() async throws {
      weak var released: Future?
      do {
        let work = Future()
        released = work
        let registration = work.cancel(on: [UsedSignal.signal])
        #expect(registration.unregister() && UsedSignal.isAsBefore)
        #expect(!registration.unregister())
        UsedSignal.send()
        try await eventually("it has its former effect") { formerEffects == 1 }
        #expect(work.isPending)
      }
      #expect(released == nil)
    }

    @Test func `work that nothing else keeps hears the signal, and is released then`() async throws {
      let told = EventLog<String>()
      weak var work: Future?
      do {
        let future = Future()
        work = future
        future.onCancel(on: .inline) { told.add("cancelled") }
        future.cancel(on: [UsedSignal.signal])
      }
      #expect(work != nil)
      UsedSignal.send()
      try await eventually("it is cancelled, and released") { told.events == ["cancelled"] && work == nil }
    }

    @Test func `one signal reaches everything that waits for it, and the first one gives all kinds back`() async throws
    {
      let works = (0..<3).map { _ in Future() }
      for work in works { work.cancel(on: [UsedSignal.signal, .kill, ProcessSignal(rawValue: SIGWINCH)]) }
      UsedSignal.send()
      for work in works { _ = await work.outcome }
      var window = sigaction()
      unsafe sigaction(SIGWINCH, nil, &window)
      #if canImport(Darwin)
        #expect(unsafe window.__sigaction_u.__sa_handler == nil)
      #else
        #expect(unsafe window.__sigaction_handler.sa_handler == nil)
      #endif
      #expect(works.allSatisfy(\.isCancelled) && UsedSignal.isAsBefore && formerEffects == 0)
    }

    /// Holds up the reading of signals, so that more of them can come meanwhile.
    private struct HeldReader {
      let isHeld = Future()
      private let goOn = DispatchSemaphore(value: 0)

      /// The listener ends with the first signal, which it takes or leaves to others.
      init(taking isTaking: Bool) {
        let listener = SignalListener(for: [UsedSignal.signal])
        listener.begin { [isHeld, goOn] in
          isHeld.complete()
          goOn.wait()
          listener.end()
          return isTaking ? { true } : nil
        }
      }

      func release() { goOn.signal() }
    }

    @Test func `of two signals in quick succession the second one has its former effect`() async throws {
      let reader = HeldReader(taking: true)
      let work = Future()
      work.cancel(on: [UsedSignal.signal])
      UsedSignal.send()
      _ = await reader.isHeld.outcome
      // Caught, and not read before the first one has cancelled.
      UsedSignal.send()
      reader.release()
      _ = await work.outcome
      try await eventually("it has its former effect") { formerEffects == 1 }
      #expect(UsedSignal.isAsBefore)
    }

    @Test func `a signal that is read when the work has ended has its former effect`() async throws {
      let reader = HeldReader(taking: false)
      let work = Future()
      work.cancel(on: [UsedSignal.signal])
      UsedSignal.send()
      _ = await reader.isHeld.outcome
      work.complete()
      reader.release()
      try await eventually("it has its former effect") { formerEffects == 1 }
      #expect(UsedSignal.isAsBefore)
    }

    @Test
    func `a signal has its former effect if the work is completed between the choice to cancel and the cancellation`()
      async throws
    {
      let work = Future()
      let ending = SignalListener(for: [UsedSignal.signal])
      ending.begin {
        {
          // The other one has chosen to cancel.
          work.complete()
          ending.end()
          return false
        }
      }
      work.cancel(on: [UsedSignal.signal])
      UsedSignal.send()
      try await eventually("it has its former effect") { formerEffects == 1 }
      #expect(UsedSignal.isAsBefore && work.isCompleted)
    }

    @Test(arguments: [false, true])
    func `a signal either cancels or has its former effect, also if it comes during the call or at the end`(
      isLate: Bool
    ) async throws {
      // One signal at a time: the system merges those of one kind that it hasn't delivered.
      for round in 0..<iterations(200) {
        UsedSignal.prepare()
        let work = Future()
        if isLate { work.cancel(on: [UsedSignal.signal]) }
        await onThreads([
          { if isLate { work.complete() } else { work.cancel(on: [UsedSignal.signal]) } },
          {
            spin(microseconds: UInt64(round % 8) * 5)
            UsedSignal.send()
          },
        ])
        try await eventually("the signal has an effect") { work.isCancelled || formerEffects > 0 }
        #expect(formerEffects == (work.isCancelled ? 0 : 1))
        work.complete()
        #expect(UsedSignal.isAsBefore)
      }
    }

    @Test func `Control-C twice ends the process, and the first one is heard`() async {
      let result = await #expect(processExitsWith: .signal(SIGINT), observing: [\.standardOutputContent]) {
        // It may have been started with the signal ignored.
        signal(SIGINT, SIG_DFL)
        let work = Future()
        work.onCancel(on: .inline) { FileHandle.standardOutput.write(Data("stopping".utf8)) }
        work.cancel(on: [.interrupt, .terminate])
        kill(getpid(), SIGINT)
        // The outcome alone may be there before the handler has written.
        _ = await work.handlersFinished
        kill(getpid(), SIGINT)
        try await Future(label: "nothing").value
      }
      let output = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) }
      #expect(output?.contains("stopping") == true)
    }
  }
}
