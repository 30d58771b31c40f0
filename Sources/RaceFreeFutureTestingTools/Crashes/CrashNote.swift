// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The text that a process writes when it crashes during a test: the test, the positions of its threads, and the way to
/// run it again.
///
/// A signal handler may allocate nothing and take no lock. So all texts are assembled beforehand; the handler only
/// copies them, and loads numbers.
package final class CrashNote: Sendable {
  private let title: [UInt8]
  private let unit: [UInt8]
  private let again: [UInt8]
  /// The path of a file that gets the same text, with its terminating zero; nil: there is none.
  let file: [CChar]?
  private let names: [[UInt8]]
  private let lanes: [ActorLane]
  private let progress: StressProgress?
  private let operations: [[UInt8]]
  private let controller: ControllerLane?
  private let order: OrderNote?

  /// - Parameters:
  ///   - title: The running test, as in `the race "a against b"`.
  ///   - unit: The unit that is counted: rounds.
  ///   - again: The line to paste.
  ///   - file: The path of a file that gets the same text.
  ///   - names: The names of the threads.
  ///   - lanes: The threads.
  ///   - calls: The operations that the threads are in, and their names.
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

  /// Creates the note of an exploration.
  ///
  /// - Parameters:
  ///   - title: The running test.
  ///   - again: The line to paste.
  ///   - file: The path of a file that gets the same text.
  ///   - order: The order that is being explored.
  package convenience init(_ title: String, again: String, file: String?, order: OrderNote) {
    self.init(title, again: again, file: file, names: [], order: order)
  }

  /// Writes the text; in a signal handler.
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
