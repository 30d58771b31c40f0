// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// A key of a scripted typist.
enum Key: Sendable {
  case letter(Character)
  case backspace
  /// No key, for as long as the next one would take.
  case nothing

  /// Returns the keys that a text describes, or nil if it is invalid: `swi<bs>ft<wait>`.
  static func parse(_ text: String) -> [Key]? {
    var keys: [Key] = []
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix("<bs>") {
        keys.append(.backspace)
        rest.removeFirst(4)
      } else if rest.hasPrefix("<wait>") {
        keys += Array(repeating: .nothing, count: 8)
        rest.removeFirst(6)
      } else {
        guard first.isASCII, first.isLetter || "'-".contains(first) else { return nil }
        keys.append(.letter(Character(first.lowercased())))
        rest.removeFirst()
      }
    }
    return keys
  }
}

/// Presses keys at a fixed pace, and records the fate of each answer, with `LatestFuture` and without.
final class Script: Sendable {
  struct Row: Sendable {
    let key: String
    let query: Query
    var ours: ValueFuture<Answer>?
    var naive: ValueFuture<Answer>?
  }

  struct State: Sendable {
    var keys: ArraySlice<Key>
    var rows: [Row] = []
    var ours = Display()
    var naive = Display()

    var text: String { rows.last?.query.text ?? "" }
  }

  private let search: Search
  private let screen: DispatchQueue
  /// Guards the state.
  ///
  /// No other code is called while it is held.
  private let state: Mutex<State>

  init(_ keys: [Key], _ search: Search, screen: DispatchQueue) {
    self.search = search
    self.screen = screen
    state = Mutex(State(keys: keys[...]))
  }

  /// Presses a key every 40 ms, and returns when the last answer has come, also if it wasn't wanted any more.
  func run() async -> State {
    let keys = Future(label: "keys")
    let timer = DispatchSource.makeTimerSource(queue: screen)
    timer.schedule(deadline: .now(), repeating: .milliseconds(40))
    timer.setEventHandler { [self] in
      guard let key = state.withLock({ $0.keys.popFirst() }) else { return keys.complete() }
      press(key)
    }
    keys.attach(timer)
    _ = await keys.outcome
    for row in state.withLock(\.rows) {
      _ = await row.ours?.handlersFinished
      _ = await row.naive?.handlersFinished
    }
    return state.withLock { $0 }
  }

  /// Runs on the screen's queue, as `show` does.
  private func press(_ key: Key) {
    let (text, number) = state.withLock { ($0.text, $0.rows.count) }
    var row: Row
    switch key {
    case .letter(let letter): row = Row(key: "\(letter)", query: Query(number: number, text: text + "\(letter)"))
    case .backspace: row = Row(key: "<bs>", query: Query(number: number, text: String(text.dropLast())))
    case .nothing: return
    }
    let query = row.query
    if query.text.isEmpty {
      search.clear()
    } else {
      row.ours = search.type(query) { [self] in show($0, to: query, on: \.ours) }
      row.naive = search.typeNaively(query) { [self] in show($0, to: query, on: \.naive) }
    }
    state.withLock { state in
      state.rows.append(row)
      guard query.text.isEmpty else { return }
      state.ours.answer = nil
      state.naive.answer = nil
    }
  }

  private func show(_ result: Result<Answer, any Error>, to query: Query, on display: WritableKeyPath<State, Display>) {
    state.withLock { $0[keyPath: display].show(result, to: query, latest: $0.text) }
  }
}

/// The contents of a screen, now and before.
struct Display: Sendable {
  /// The answer that is shown now.
  var answer: Answer?
  /// The number of times that an answer was shown which wasn't for the current text.
  private(set) var staleCount = 0
  /// The answers that were shown, by the numbers of the queries.
  private(set) var notes: [Int: String] = [:]

  mutating func show(_ result: Result<Answer, any Error>, to query: Query, latest: String) {
    answer = try? result.get()
    if answer?.text ?? query.text != latest {
      staleCount += 1
      notes[query.number] = "stale: \(latest) was typed"
    } else {
      notes[query.number] = answer?.words.brief ?? "failed"
    }
  }
}

extension [String] {
  /// The first words of a list, for a line.
  var brief: String {
    isEmpty ? "no such word" : prefix(3).joined(separator: " ") + (count > 3 ? " ..." : "")
  }
}
