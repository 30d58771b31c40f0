// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation
import RaceFreeFuture

/// The command `operations`.
@main
struct Operations: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operations",
    abstract: "Shows four ways to use an OperationQueue, with timers in place of downloads.",
    discussion: "It takes two seconds. Dots mean waiting, hashes mean running."
  )

  func run() async {
    show("all at once", await Scenarios.allAtOnce())
    show("one after the other, whatever the outcome (file 2 has a time limit)", await Scenarios.oneAfterTheOther())
    for secondFails in [false, true] {
      let (timeline, result) = await Scenarios.nextIfSucceeded(secondFails: secondFails)
      let title =
        secondFails ? "the same, but the second fails" : "each if the one before succeeded, with its value"
      show(title, timeline)
      switch result {
      case .success(let text): print("  result: \(text)\n".wrapped(to: Console.width, indentation: "    "))
      case .failure(let error): print("  result: \(type(of: error))\n")
      }
    }
    let two = await Scenarios.twoAtATime()
    show("two at a time (file 5 is cancelled while it waits, file 6 while it runs)", two)
    print("at most \(two.mostAtOnce) at once")
  }

  private func show(_ title: String, _ timeline: Timeline) {
    let columns = Console.width
    // Beside the diagram there are 25 columns with a name and an end.
    print("\(title):".wrapped(to: columns), timeline.drawn(width: max(4, min(40, columns - 25))), "", separator: "\n")
  }

  static func main() async { await runAsMain() }
}
