// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

@main enum Operations {
  static func main() async {
    show("all at once", await Scenarios.allAtOnce())
    show("one after the other, whatever the end (file 2 has a time limit)", await Scenarios.oneAfterTheOther())
    for secondFails in [false, true] {
      let (timeline, result) = await Scenarios.nextIfSucceeded(secondFails: secondFails)
      let title =
        secondFails ? "the same, but the second fails" : "the next if the one before succeeded, with its value"
      show(title, timeline)
      switch result {
      case .success(let text): print("  result: \(text)\n")
      case .failure(let error): print("  result: \(type(of: error))\n")
      }
    }
    let two = await Scenarios.twoAtATime()
    show("two at a time (file 5 is cancelled while it waits, file 6 while it runs)", two)
    print("at most \(two.mostAtOnce) at once")
  }

  private static func show(_ title: String, _ timeline: Timeline) {
    print("\(title):\n\(timeline.drawn())\n")
  }
}
