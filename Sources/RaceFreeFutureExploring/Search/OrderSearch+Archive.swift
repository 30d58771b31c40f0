// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

// MARK: - What is left of a search, for another process

extension OrderSearch {
  /// Writes what is left of the search, or replaces it by what was written.
  mutating func pass(through archive: inout Archive) {
    archive.pass(&expansion, of: .alternatives) { archive, expansion in
      var reverses = expansion == .reversals
      archive.pass(&reverses)
      expansion = reverses ? .reversals : .alternatives
    }
    archive.pass(&states, of: State()) { $1.pass(through: &$0) }
    archive.pass(&free, of: 0) { $0.pass(&$1) }
    archive.pass(&layers, of: []) { archive, layer in
      archive.pass(&layer, of: Pending(state: 0, choice: 0, choices: 0)) { archive, pending in
        archive.pass(&pending.state)
        archive.pass(&pending.choice)
        archive.pass(&pending.choices)
      }
    }
    archive.pass(&waitingCount)
    archive.pass(&isTruncated)
    var isShared = part != nil
    archive.pass(&isShared)
    if !isShared { part = nil }
    archive.pass(&common)
  }
}

extension OrderSearch.State {
  fileprivate mutating func pass(through archive: inout Archive) {
    archive.pass(&last)
    archive.pass(&choice)
    archive.pass(&choices)
    archive.pass(&forced)
    archive.pass(&uses)
    archive.pass(&sleep, of: OrderSearch.Asleep(choice: 0, line: 0, footprint: .nothing)) { archive, asleep in
      var (choice, line, footprint) = (asleep.choice, asleep.line, asleep.footprint)
      archive.pass(&choice)
      archive.pass(&line)
      footprint.pass(through: &archive)
      asleep = OrderSearch.Asleep(choice: choice, line: line, footprint: footprint)
    }
    archive.pass(&tried, of: (0, 0, nil)) { archive, tried in
      archive.pass(&tried.choice)
      archive.pass(&tried.line)
      archive.pass(&tried.footprint, of: .nothing) { $1.pass(through: &$0) }
    }
  }
}

extension Footprint {
  fileprivate mutating func pass(through archive: inout Archive) {
    archive.pass(&isAnything)
    archive.pass(&mayWait)
    archive.pass(&isFresh)
    archive.pass(&uses, of: (.timers, .read)) { archive, use in
      use.thing.pass(through: &archive)
      var raw = use.use.rawValue
      archive.pass(&raw)
      use.use = Use(rawValue: raw) ?? .write
    }
  }
}

extension Footprint.Thing {
  fileprivate mutating func pass(through archive: inout Archive) {
    var (kind, number, name) = (0, 0, "")
    switch self {
    case .named(let text): (kind, name) = (0, text)
    case .primitive(let value): (kind, number) = (1, value)
    case .sequence(let value): (kind, number) = (2, value)
    case .line(let value): (kind, number) = (3, value)
    case .task(let value): (kind, number) = (4, value)
    case .timers: kind = 5
    case .turn(let value): (kind, number) = (6, value)
    case .end(let value): (kind, number) = (7, value)
    case .results(let value): (kind, number) = (8, value)
    }
    archive.pass(&kind)
    if kind == 0 { archive.pass(&name) } else { archive.pass(&number) }
    switch kind {
    case 0: self = .named(name)
    case 1: self = .primitive(number)
    case 2: self = .sequence(number)
    case 3: self = .line(number)
    case 4: self = .task(number)
    case 6: self = .turn(number)
    case 7: self = .end(number)
    case 8: self = .results(number)
    default: self = .timers
    }
  }
}
