// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct SeedTests {
  @Test func `a seed that is given counts`() {
    #expect(chosenSeed(7) == 7)
    #expect(chosenSeed(0) == 0)
  }

  @Test func `numbers may be decimal or hexadecimal`() {
    #expect(seed(in: "42") == 42)
    #expect(seed(in: "0xFf") == 255)
    #expect(seed(in: "18446744073709551615") == .max)
    for text in ["", "x", "-1", "0x", "1.5", "18446744073709551616"] { #expect(seed(in: text) == nil) }
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(.exitTests) func `the environment gives the seed`() async {
      await #expect(processExitsWith: .success) {
        setSeed("99")
        #expect(chosenSeed(nil) == 99)
        #expect(chosenSeed(1) == 1)
        setSeed("")
        #expect(chosenSeed(nil) != chosenSeed(nil))
        setSeed(nil)
        #expect(chosenSeed(nil) != chosenSeed(nil))
      }
    }

    @Test(.exitTests) func `a variable that is no number stops the program, and says so`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        setSeed("tomorrow")
        _ = chosenSeed(nil)
      }
      let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(errors.contains("RACEFREEFUTURE_SEED is 'tomorrow', which is no number"))
    }
  #endif
}

/// Sets the variable, or removes it; for a process that reads it on this thread only.
private func setSeed(_ text: String?) {
  // The texts are copied.
  if let text { unsafe setenv("RACEFREEFUTURE_SEED", text, 1) } else { unsafe unsetenv("RACEFREEFUTURE_SEED") }
}
