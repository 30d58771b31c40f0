// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Explored {
  /// A variable without protection of its own, which other primitives guard or publish.
  ///
  /// In an exploration it reports data races: two threads use it, one of them writes, and nothing orders the two. That
  /// is noticed in each order in which both occur, in either sequence; so using it is no step. In production it is a
  /// plain variable, for which <doc:ExploringThreads> has the five lines.
  public final class Cell<Value>: @unchecked Sendable {
    // Its users guarantee that it is guarded; in an exploration one thread at a time runs.
    private var content: Value
    private let identity: ExploredIdentity
    private var written: (moment: MemoryModel.Moment, title: String)?
    private var read: [(moment: MemoryModel.Moment, title: String)] = []

    /// Creates a variable.
    ///
    /// - Parameter value: The initial value.
    public init(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
      content = value
      identity = ExploredIdentity("cell", fileID, line)
      if let place = ExploredPlace.current { enter(place, isBeingMade: true) }
    }

    private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
      if identity.enter(place, isBeingMade: isBeingMade, isUsedAtOnce: true) { (written, read) = (nil, []) }
    }

    /// The value.
    public var value: Value {
      get {
        if let place = ExploredPlace.current, !place.run.turns.isLooking { noteRead(place) }
        return content
      }
      set {
        if let place = ExploredPlace.current, !place.run.turns.isLooking { noteWrite(place) }
        content = newValue
      }
    }

    private func noteRead(_ place: ExploredPlace) {
      let now = noteUse(place, "reads")
      read.removeAll { $0.moment.thread == now.moment.thread }
      read.append(now)
    }

    private func noteWrite(_ place: ExploredPlace) {
      let now = noteUse(place, "writes")
      for other in read { check(other, "read", place, "writes") }
      (written, read) = (now, [])
    }

    private func noteUse(_ place: ExploredPlace, _ verb: String) -> (moment: MemoryModel.Moment, title: String) {
      enter(place)
      if let thread = place.thread { identity.isUsed(by: thread) }
      if let written { check(written, "wrote", place, verb) }
      let number = place.thread?.number ?? 0
      place.run.threads.memory.tick(number)
      let title = place.thread.map { place.run.title(of: $0.line) } ?? "a step"
      return (place.run.threads.memory.moment(of: number), title)
    }

    private func check(
      _ other: (moment: MemoryModel.Moment, title: String),
      _ what: String,
      _ place: ExploredPlace,
      _ verb: String
    ) {
      // What orders tasks isn't known here.
      if place.carrier != nil { return }
      guard let thread = place.thread, !place.run.threads.memory.knows(other.moment, thread.number) else { return }
      let who = "\"\(place.run.title(of: thread.line))\""
      thread.fail(
        "\(who) \(verb) \(identity.fullName), which \"\(other.title)\" \(what), and nothing orders the two: a race"
      )
    }
  }
}
