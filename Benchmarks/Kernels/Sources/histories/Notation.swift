// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// The histories of `Published`, and some that are made: as large as one wants, and known to be right or wrong.

let published: [Example] =
  Published.etcd.map { log in
    Example(
      "etcd, number \(log.number)",
      etcd(log.text),
      of: RegisterModel(initialState: nil),
      isLinearizable: log.isLinearizable,
      source: "Porcupine, Jepsen's etcd"
    )
  }
  + Published.dictionary.map { log in
    Example(
      "dictionary, \(log.name)",
      dictionary(log.text),
      of: TextsModel(),
      isLinearizable: log.isLinearizable,
      source: "Porcupine, key-value store"
    )
  }

/// Reads the notation of `Published.etcd`.
private func etcd(_ text: String) -> History<RegisterModel.Operation, RegisterModel.Answer> {
  typealias Event = History<RegisterModel.Operation, RegisterModel.Answer>.Event
  return History(
    text.split(whereSeparator: \.isWhitespace).map { word in
      let process = word.prefix { $0.isNumber }
      let rest = word.dropFirst(process.count + 1)
      let numbers = rest.split(separator: ",").compactMap { Int($0) }
      let event: Event =
        switch word.dropFirst(process.count).first {
        case "r": .begins(.read)
        case "w": .begins(.write(numbers[0]))
        case "c": .begins(.exchange(numbers[0], numbers[1]))
        case "=": .answers(.value(numbers.first))
        case ".": .answers(.done)
        case "+": .answers(.exchanged(true))
        case "!": .answers(.exchanged(false))
        default: .isForgotten
        }
      return (Int(process) ?? 0, event)
    }
  )
}

/// Reads the notation of `Published.dictionary`.
private func dictionary(_ text: String) -> History<TextsModel.Operation, String> {
  let words = text.split(whereSeparator: \.isWhitespace)
  return History(
    words.enumerated().map { index, word in
      let parts = word.dropFirst().split(separator: "=", omittingEmptySubsequences: false)
      let (key, text) = (
        String(parts[0]), String(parts[1].map { $0 == "+" ? " " : $0 }) + (parts[1].isEmpty ? "" : " ")
      )
      let operation: TextsModel.Operation =
        switch word.first {
        case "g": .get(key)
        case "p": .put(key, text)
        default: .append(key, text)
        }
      let time = UInt64(2 * index)
      return .init(thread: 0, operation, answer: text, begun: time, ended: time + 1)
    }
  )
}

// MARK: Made

let generated: [Example] = [
  made(calls: 10_000, threads: 4, isLinearizable: true),
  made(calls: 10_000, threads: 4, isLinearizable: false),
  made(calls: 100_000, threads: 8, isLinearizable: true),
  made(calls: 100_000, threads: 8, isLinearizable: false),
]

/// Threads read and write a register, each call at a moment between its begin and its end; a wrong history has one read
/// that returns what was never written.
private func made(calls count: Int, threads: Int, isLinearizable: Bool) -> Example {
  var generator = Numbers()
  var (value, isSpoiled) = (0, isLinearizable)
  var calls: [History<RegisterModel.Operation, RegisterModel.Answer>.Call] = []
  // The moments at which the calls take effect are in sequence; each thread begins when its call before has ended.
  var free = [UInt64](repeating: 0, count: threads)
  for index in 1...count {
    let now = UInt64(1_000 * index)
    guard let thread = (0..<threads).filter({ free[$0] <= now }).randomElement(using: &generator) else { continue }
    let begun = max(free[thread], now - min(now, UInt64.random(in: 0..<2_000, using: &generator)))
    let ended = now + .random(in: 0..<2_000, using: &generator)
    free[thread] = ended + 1
    if Bool.random(using: &generator) {
      value = index
      calls.append(.init(thread: thread, .write(index), answer: .done, begun: begun, ended: ended))
    } else {
      let seen = !isSpoiled && index > count / 2 ? -1 : value
      isSpoiled = isSpoiled || seen < 0
      calls.append(.init(thread: thread, .read, answer: .value(seen), begun: begun, ended: ended))
    }
  }
  return Example(
    "a register, \(threads) threads\(isLinearizable ? "" : ", one read is wrong")",
    History(calls),
    of: RegisterModel(initialState: 0),
    isLinearizable: isLinearizable,
    source: "none: known by how it is made"
  )
}

/// Knuth's generator: the same history each time.
private struct Numbers: RandomNumberGenerator {
  private var state: UInt64 = 14

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
