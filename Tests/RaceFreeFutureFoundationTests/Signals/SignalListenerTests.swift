// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

extension SignalTests {
  @Suite struct SignalListenerTests {
    init() { UsedSignal.prepare() }

    private func listener(_ signal: ProcessSignal, _ body: @escaping @Sendable () -> Void) -> SignalListener {
      let listener = SignalListener(for: [signal])
      listener.begin {
        {
          body()
          return true
        }
      }
      return listener
    }

    @Test func `one signal reaches each listener once, and none that has gone`() async throws {
      let told = EventLog<String>()
      let listeners = ["a", "b", "c"].map { name in listener(UsedSignal.signal) { told.add(name) } }
      listeners[1].end()
      UsedSignal.send()
      try await eventually("both are told") { told.events.count >= 2 }
      #expect(told.events == ["a", "c"])
      for listener in listeners { listener.end() }
      #expect(UsedSignal.isAsBefore && UsedSignal.formerEffects == 0)
    }

    @Test func `every listener has chosen what to do before any of them acts`() async throws {
      let told = EventLog<String>()
      // Each ends the step of all, so that another one that chose later would find the next step.
      let steps = (0..<3).map { _ in Future() }
      let over = Future(label: "the last one has acted")
      let listeners = ["a", "b", "c"].map { name in
        let listener = SignalListener(for: [UsedSignal.signal])
        listener.begin {
          guard let step = steps.firstIndex(where: \.isPending) else { return nil }
          return {
            told.add("\(name)\(step)")
            steps[step].complete()
            if name == "c" { over.complete() }
            return true
          }
        }
        return listener
      }
      UsedSignal.send()
      _ = await over.outcome
      #expect(told.events == ["a0", "b0", "c0"])
      for listener in listeners { listener.end() }
    }

    @Test func `a signal that comes while a listener acts is chosen for after that`() async throws {
      let told = EventLog<String>()
      let (acts, goesOn) = (Gate("it acts"), Gate("it may go on"))
      let listener = SignalListener(for: [UsedSignal.signal])
      listener.begin {
        told.add("chosen")
        return {
          acts.open()
          goesOn.wait()
          told.add("done")
          return true
        }
      }
      UsedSignal.send()
      await acts.passed()
      UsedSignal.send()
      goesOn.open()
      try await eventually("both are over") { told.events.count == 4 }
      #expect(told.events == ["chosen", "done", "chosen", "done"])
      #expect(UsedSignal.formerEffects == 0)
      listener.end()
    }

    @Test func `a signal that all decline only when they act has its former effect`() async throws {
      let refusing = SignalListener(for: [UsedSignal.signal])
      refusing.begin { [weak refusing] in
        {
          refusing?.end()
          return false
        }
      }
      UsedSignal.send()
      try await eventually("it is sent again") { UsedSignal.formerEffects == 1 }
      #expect(UsedSignal.isAsBefore)
    }

    @Test func `one that is released has ended, and one that has ended doesn't begin`() {
      do {
        let listener = listener(UsedSignal.signal) {}
        #expect(!UsedSignal.isAsBefore)
        withExtendedLifetime(listener) {}
      }
      #expect(UsedSignal.isAsBefore)
      let ended = SignalListener(for: [UsedSignal.signal])
      ended.end()
      ended.begin { { true } }
      #expect(UsedSignal.isAsBefore)
    }

    @Test func `a signal that nobody takes has its former effect`() async throws {
      let refusing = SignalListener(for: [UsedSignal.signal])
      refusing.begin { [weak refusing] in
        refusing?.end()
        return nil
      }
      UsedSignal.send()
      try await eventually("it is sent again") { UsedSignal.formerEffects == 1 }
      #expect(UsedSignal.isAsBefore)
    }

    @Test func `the handler that other code has put back catches nothing`() async throws {
      let told = EventLog<String>()
      let listener = listener(UsedSignal.signal) { told.add("heard") }
      // As code that replaces a handler for a while does.
      var saved = sigaction()
      unsafe sigaction(UsedSignal.signal.rawValue, nil, &saved)
      listener.end()
      unsafe sigaction(UsedSignal.signal.rawValue, &saved, nil)
      #expect(!UsedSignal.isAsBefore)
      UsedSignal.send()
      try await eventually("it is sent again") { UsedSignal.formerEffects == 1 }
      #expect(UsedSignal.isAsBefore && told.events == [])
    }

    @Test func `a signal to a forked child has the effect that it had before, and isn't heard here`() async throws {
      let told = EventLog<String>()
      let fork = unsafe try #require(dlsym(dlopen(nil, RTLD_NOW), "fork"))
      let listeners = [SIGUSR2, SIGALRM].map { number in
        listener(ProcessSignal(rawValue: number)) { told.add("\(number)") }
      }
      let work = Future(label: "work")
      work.cancel(on: [ProcessSignal(rawValue: SIGALRM)])
      let child = unsafe unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
      if child == 0 {
        // A thread of Dispatch has blocked it.
        var alarm = sigset_t()
        unsafe sigemptyset(&alarm)
        unsafe sigaddset(&alarm, SIGALRM)
        unsafe pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
        kill(getpid(), SIGALRM)
        _exit(0)
      }
      var status: Int32 = 0
      while unsafe waitpid(child, &status, 0) == -1 && errno == EINTR {}
      #expect(status & 0x7f == SIGALRM, "by default it ends a process")
      // What comes later is heard after what came before.
      UsedSignal.send()
      try await eventually("the parent's own signal is heard") { told.events.last == "\(SIGUSR2)" }
      #expect(told.events == ["\(SIGUSR2)"] && work.isPending)
      work.complete()
      for listener in listeners { listener.end() }
    }
  }
}
