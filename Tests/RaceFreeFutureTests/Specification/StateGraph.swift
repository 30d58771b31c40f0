// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The graph of states of the specification, as `Scripts/specification.sh graph` has printed it.
///
/// Lines of the file, each with its kind at the beginning:
///
/// - `v`: a value; others refer to it by its number, from 0.
/// - `p`: a program, and what else doesn't change in it. Its states follow.
/// - `s`: a state: the numbers of its components, a dot for one that is that of the line before; after a slash the steps
///   from it, as `thread:state:event`. States are numbered from 0 in each program, and the first one is the initial one.
struct StateGraph {
  struct Step {
    let thread: Int
    let target: Int
    let event: Int
  }

  struct State {
    let components: [Int]
    let steps: [Step]
  }

  struct Program {
    let fixed: SpecifiedValue
    var states: [State] = []
  }

  private(set) var values: [SpecifiedValue] = []
  private(set) var programs: [Program] = []

  struct ParsingError: Error {
    let line: Substring
  }

  /// Reads the graph of the given name from a folder, without one from that beside this file.
  init(named name: String, in folder: URL? = nil) throws {
    let folder = folder ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Graphs")
    try self.init(parsing: String(contentsOf: folder.appending(path: "\(name).graph"), encoding: .utf8))
  }

  init(parsing text: String) throws {
    var previous: [Int] = []
    for line in text.split(separator: "\n") {
      let content = line.dropFirst(2)
      switch line.first {
      case "v", "p":
        guard let value = SpecifiedValue(parsing: content) else { throw ParsingError(line: line) }
        if line.first == "v" {
          values.append(value)
        } else {
          programs.append(Program(fixed: value))
          previous = []
        }
      case "s":
        guard !programs.isEmpty, let state = StateGraph.state(content, after: previous) else {
          throw ParsingError(line: line)
        }
        programs[programs.count - 1].states.append(state)
        previous = state.components
      case "#":
        break
      default:
        throw ParsingError(line: line)
      }
    }
  }

  private static func state(_ text: Substring, after previous: [Int]) -> State? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var components: [Int] = []
    for part in parts[0].split(separator: UInt8(ascii: " ")) {
      if part.first == UInt8(ascii: ".") {
        guard components.count < previous.count else { return nil }
        components.append(previous[components.count])
      } else {
        guard let number = Int(Substring(part)) else { return nil }
        components.append(number)
      }
    }
    var steps: [Step] = []
    for part in parts[1].split(separator: UInt8(ascii: " ")) {
      let numbers = part.split(separator: UInt8(ascii: ":")).compactMap { Int(Substring($0)) }
      guard numbers.count == 3 else { return nil }
      steps.append(Step(thread: numbers[0], target: numbers[1], event: numbers[2]))
    }
    return State(components: components, steps: steps)
  }
}

// MARK: - Walking

extension StateGraph {
  /// The parts of the graph that were walked.
  struct Walk {
    var states = 0
    var steps = 0
    /// The first state or step in which the code differs from the specification.
    var difference: String?
  }

  /// Takes each step of the program with the code, and compares the states and the events.
  ///
  /// A path from the initial state ends at a state that is known already; then the code starts again and takes the
  /// steps up to the last state from which another step leads.
  func walk(_ program: Program) -> Walk {
    var walk = Walk()
    var remaining = program.states.map { $0.steps[...] }
    var isKnown = [Bool](repeating: false, count: program.states.count)
    // The threads that made the steps from the initial state, and the states after them.
    var path: [(thread: Int, state: Int)] = [(0, 0)]
    var code = start(program)
    walk.difference = difference(code, program, 0)
    isKnown[0] = true
    walk.states = 1
    var isAtEnd = true
    while walk.difference == nil, let state = path.last?.state {
      guard let step = remaining[state].popFirst() else {
        path.removeLast()
        isAtEnd = false
        continue
      }
      if !isAtEnd {
        code.finish()
        code = start(program)
        for (thread, _) in path.dropFirst() { _ = code.step(thread) }
        isAtEnd = true
      }
      let event = code.step(step.thread)
      walk.steps += 1
      if event != values[step.event] {
        walk.difference = "event \(event) instead of \(values[step.event])"
      } else {
        walk.difference = difference(code, program, step.target)
      }
      if let difference = walk.difference {
        let threads = path.dropFirst().map { "\($0.thread)" } + ["\(step.thread)"]
        walk.difference = "\(program.fixed), threads \(threads.joined(separator: " ")): \(difference)"
      }
      if isKnown[step.target] {
        isAtEnd = false
      } else {
        isKnown[step.target] = true
        walk.states += 1
        path.append((step.thread, step.target))
      }
    }
    code.finish()
    return walk
  }

  private func start(_ program: Program) -> SpecifiedFutures {
    SpecifiedFutures(program.fixed, initially: program.states[0].components.map { values[$0] })
  }

  /// Compares the state of the code, and the threads that can continue.
  private func difference(_ code: SpecifiedFutures, _ program: Program, _ state: Int) -> String? {
    let shown = code.shown
    let expected = program.states[state].components
    guard shown.count == expected.count else { return "\(shown.count) components instead of \(expected.count)" }
    for (shown, expected) in zip(shown, expected) where shown != values[expected] {
      return "\(shown) instead of \(values[expected])"
    }
    let ready = code.readyThreads
    let steps = program.states[state].steps.map(\.thread)
    return ready == Set(steps) ? nil : "threads \(ready.sorted()) can continue, instead of \(steps.sorted())"
  }
}
