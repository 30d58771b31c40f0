// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// In programs of their own: what is switched on holds for the whole program.
@Suite(.exitTests) struct HooksTests {
  @Test func `a closure of the application switches its hook on, and off when it goes`() async {
    await #expect(processExitsWith: .success) {
      #expect(!Hooks.isOn([.observer, .context]))
      Future.observer = { _ in }
      #expect(Hooks.isOn(.observer) && !Hooks.isOn(.context))
      Future.contextPropagation = { nil }
      Future.contextPropagation = { nil }
      #expect(Hooks.now.isSuperset(of: [.observer, .context]))
      Future.observer = nil
      #expect(!Hooks.isOn(.observer) && Hooks.isOn(.context))
      Future.contextPropagation = nil
      #expect(!Hooks.isOn([.observer, .context]))
    }
  }

  @Test func `what several threads switch at the same time is all switched`() async {
    await #expect(processExitsWith: .success) {
      for round in 0..<iterations(2_000) {
        let isOn = round.isMultiple(of: 2)
        let hooks: [Hooks] = [.observer, .context]
        await onThreads(hooks.map { hook -> @Sendable () -> Void in { Hooks.set(hook, to: isOn) } })
        #expect(Hooks.now.intersection([.observer, .context]) == (isOn ? [.observer, .context] : []))
      }
    }
  }
}
