// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// Shows four ways to use an OperationQueue, with timers in place of downloads: two seconds.
@main
enum Operations {
  static func main() async {
    print("all at once:")
    print(await Scenarios.allAtOnce())
    print("one after the other, whatever the outcome (file 2 has a time limit):")
    print(await Scenarios.oneAfterTheOther())
    for secondFails in [false, true] {
      print(secondFails ? "the same, but the second fails:" : "each if the one before succeeded, with its value:")
      let (timeline, result) = await Scenarios.nextIfSucceeded(secondFails: secondFails)
      print("\(timeline)  result: \((try? result.get()) ?? "an error")\n")
    }
    print("two at a time (file 5 is cancelled while it waits, file 6 while it runs):")
    print(await Scenarios.twoAtATime())
  }
}
