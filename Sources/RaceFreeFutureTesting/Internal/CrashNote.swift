// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a process that dies during a test says before it does: which test, where its threads were, how to run it again.
///
/// A signal handler may allocate nothing and take no lock. So all words are put together beforehand; what is left is to
/// copy them, and to load numbers.
final class CrashNote: Sendable {
  private let title: [UInt8]
  private let unit: [UInt8]
  private let again: [UInt8]
  /// The path of a file that is to say so as well, with its end mark; nil: there is none.
  let file: [CChar]?
  private let names: [[UInt8]]
  private let lanes: [ActorLane]
  private let progress: StressProgress?
  private let operations: [[UInt8]]
  private let controller: ControllerLane?
  private let order: OrderNote?

  /// - Parameters:
  ///   - title: What was under way, as in `the race "a against b"`.
  ///   - unit: What is counted: rounds.
  ///   - again: The line to paste.
  ///   - file: The path of a file that is to say so as well.
  ///   - names: What the threads are called.
  ///   - lanes: The threads.
  ///   - calls: In which of some operations the threads are, and what these are called.
  ///   - controller: The thread that makes subjects.
  ///   - order: The order that is being explored.
  init(
    _ title: String,
    unit: String = "round",
    again: String,
    file: String? = nil,
    names: [String] = [],
    lanes: [ActorLane] = [],
    calls: (StressProgress, [String])? = nil,
    controller: ControllerLane? = nil,
    order: OrderNote? = nil
  ) {
    self.title = Array(title.onOneLine.utf8)
    self.unit = Array(unit.utf8)
    self.again = Array(again.utf8)
    self.file = file.map { Array($0.utf8CString) }
    self.names = names.map { Array($0.utf8) }
    self.lanes = lanes
    progress = calls?.0
    operations = calls?.1.map { Array($0.onOneLine.utf8) } ?? []
    self.controller = controller
    self.order = order
  }

  /// Says it; in a signal handler.
  func speak(_ signal: StaticString, _ words: inout LastWords) {
    words.add("\nRaceFreeFutureTesting: the process dies (")
    words.add(signal)
    words.add(") during ")
    words.add(title)
    words.add("\n")
    var index = 0
    while index < lanes.count {
      if let round = lanes[index].round {
        words.add("  ")
        words.add(names[index])
        addPlace(round, &words)
        if let operation = progress?.operation(on: index), operation < operations.count {
          words.add(", in ")
          words.add(operations[operation])
        }
        words.add(lanes[index].isCurrent ? ", and crashed\n" : "\n")
      }
      index += 1
    }
    if let controller { add(controller, &words) }
    order?.speak(&words)
    words.add("again: ")
    words.add(again)
    words.add("\n")
  }

  private func add(_ controller: ControllerLane, _ words: inout LastWords) {
    let (step, round) = ControllerLane.step(at: controller.moment)
    switch step {
    case .none: return
    case .make: words.add("  make")
    case .outcome: words.add("  outcome")
    case .finally: words.add("  finally")
    case .model: words.add("  the model")
    }
    addPlace(round, &words)
    words.add(controller.isCurrent ? ", and crashed\n" : "\n")
  }

  private func addPlace(_ round: Int, _ words: inout LastWords) {
    words.add(": ")
    words.add(unit)
    words.add(" ")
    words.add(round)
  }
}
