// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The shared data that a step uses: two steps that use nothing in common, or only read it, can be exchanged.
struct Footprint: Equatable, Sendable {
  /// Something that several steps may use.
  enum Thing: Hashable, Sendable {
    /// What a user has named.
    case named(String)
    /// An explored primitive, by its number in the order.
    case primitive(Int)
    /// What sequentially consistent accesses know of a primitive.
    case sequence(Int)
    /// The end of a line of work that several steps add to: the queue of an actor.
    case line(Int)
    /// What an actor guards: used in its turns.
    case turn(Int)
    /// A task, by its line: its progress, and whether it is cancelled.
    case task(Int)
    /// The end of a task, by its line.
    case end(Int)
    /// The results of the children of a task's groups, in the order of their ends.
    case results(Int)
    /// The timers, which keep an order.
    case timers
  }

  /// A way of using something.
  enum Use: Int, Sendable {
    /// Sees it: two of these can be exchanged.
    case read
    case write
    /// Takes a lock: possible only while it is free, and never in place of a step that gives it back.
    case take
    case give

    /// True if the result depends on which of the two comes first.
    func conflicts(with other: Use) -> Bool { self != .read || other != .read }

    /// True if the other one could come in place of this one, which is earlier.
    func mayComeLater(than other: Use) -> Bool { !(self == .give && other == .take) }
  }

  var uses: [(thing: Thing, use: Use)] = []
  /// True if it may use anything.
  var isAnything = false
  /// True if the step can be impossible, until another one makes it possible.
  var mayWait = false
  /// True if it uses something that had no number before: its number may be another one in another order.
  var isFresh = false

  static let anything = Footprint(isAnything: true)
  static let nothing = Footprint()

  private init(isAnything: Bool = false) { self.isAnything = isAnything }

  /// Makes a footprint of what a step changes, by names.
  init(names: Set<String>) { for name in names { add(.named(name), .write) } }

  init(_ thing: Thing, _ use: Use) { uses = [(thing, use)] }

  mutating func add(_ thing: Thing, _ use: Use) {
    let isKnown = uses.contains { $0.thing == thing && ($0.use == use || $0.use == .write) }
    if !isAnything, !isKnown { uses.append((thing, use)) }
  }

  mutating func add(_ other: Footprint) {
    isAnything = isAnything || other.isAnything
    mayWait = mayWait || other.mayWait
    isFresh = isFresh || other.isFresh
    for (thing, use) in other.uses { add(thing, use) }
  }

  /// Returns true if it uses at most this.
  func isNothing(but thing: Thing) -> Bool { !isAnything && uses.allSatisfy { $0.thing == thing } }

  /// True if it does nothing but take a lock.
  var isTaking: Bool { !isAnything && uses.count == 1 && uses[0].use == .take }

  /// Returns true if the two steps can't be exchanged.
  func conflicts(with other: Footprint) -> Bool {
    if isAnything || other.isAnything { return true }
    return uses.contains { own in
      other.uses.contains { $0.thing == own.thing && $0.use.conflicts(with: own.use) }
    }
  }

  /// Returns true if two steps that conflict, of which this one is earlier, could come the other way round.
  func mayComeLater(than other: Footprint) -> Bool {
    if isAnything || other.isAnything { return true }
    return uses.contains { own in
      other.uses.contains {
        $0.thing == own.thing && $0.use.conflicts(with: own.use) && own.use.mayComeLater(than: $0.use)
      }
    }
  }

  static func == (one: Self, other: Self) -> Bool {
    one.isAnything == other.isAnything && one.mayWait == other.mayWait
      && one.uses.elementsEqual(other.uses) { $0.thing == $1.thing && $0.use == $1.use }
  }
}
