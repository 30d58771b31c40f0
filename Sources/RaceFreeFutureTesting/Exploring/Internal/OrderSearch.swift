// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The search of orders: every order once, those with the fewest forced switches first.
///
/// An order is identified by its choices. A *forced switch* is a choice of another line although the one before could
/// have continued. Each order that has been run has alternative choices at each step after its given beginning; each of
/// these is the beginning of one new order. (Iterative context bounding: Musuvathi and Qadeer, 2007.)
///
/// Of orders that differ only in the position of independent steps, one is run. Steps are independent if both have
/// declared the names that they touch, and these have nothing in common: then each can be taken before or after the
/// other with the same result. (Sleep sets: Godefroid, 1996: where one of two such steps has been tried first, the
/// other begins no new order by being first, as long as nothing happens that depends on it: it is *asleep*.)
///
/// Pure: it runs no code.
struct OrderSearch {
  /// The names that steps touch which are asleep, by their lines.
  typealias Sleep = [Int: Set<String>]

  /// The choices of an order, with their alternatives.
  struct Trail {
    var chosen: [Int] = []
    /// The line that runs after each step: the chosen one, or the one that continues in another way by that choice.
    var on: [Int] = []
    var choices: [[Int]] = []
    /// The names that the choices touch, as far as they are known.
    var footprints: [Sleep] = []

    mutating func append(_ line: Int, for actor: Int? = nil, of choices: [Int], _ footprints: Sleep) {
      chosen.append(line)
      on.append(actor ?? line)
      self.choices.append(choices)
      self.footprints.append(footprints)
    }

    /// The number of times that another line was chosen.
    var switches: Int { zip(on, on.dropFirst()).count { $0 != $1 } }

    /// Returns the same trail up to a step.
    func prefix(_ count: Int) -> Trail {
      Trail(
        chosen: Array(chosen.prefix(count)),
        on: Array(on.prefix(count)),
        choices: Array(choices.prefix(count)),
        footprints: Array(footprints.prefix(count))
      )
    }
  }

  /// The beginning of an order.
  struct Start {
    private let chosen: [Int]
    /// The check sums of the choices when these steps were taken for the first time.
    private let choices: [UInt32]
    fileprivate let pending: Pending
    /// The number of its forced switches.
    let forced: Int

    fileprivate init(_ pending: Pending, after steps: [Step], forced: Int) {
      self.pending = pending
      self.forced = forced
      let own = pending.line < 0 ? [] : [(pending.line, pending.choices)]
      chosen = steps.map { Int($0.line) } + own.map { Int($0.0) }
      choices = steps.map(\.choices) + own.map(\.1)
    }

    /// The steps that are asleep after these.
    var sleep: Sleep { pending.sleep }

    /// The number of steps that it determines.
    var length: Int { chosen.count }

    func line(at step: Int) -> Int? { step < length ? chosen[step] : nil }

    /// Returns true if these were the choices when the step was taken for the first time, or if it is a new step.
    func knows(_ choices: [Int], at step: Int) -> Bool {
      step >= length || self.choices[step] == OrderSearch.sum(of: choices)
    }
  }

  /// A beginning that hasn't been run, without the steps that it shares with others.
  fileprivate struct Pending {
    /// The step that comes before; -1: none.
    let last: Int32
    /// The line that continues then; -1: none.
    let line: Int32
    /// The check sum of the choices there.
    let choices: UInt32
    let sleep: Sleep
  }

  /// A step that pending beginnings share.
  fileprivate struct Step {
    let last: Int32
    let line: Int32
    let choices: UInt32
    /// The number of steps and pending beginnings that follow it.
    var uses: Int32
  }

  /// All shared steps, as a tree.
  ///
  /// A step that isn't used any more is free for another one.
  private var steps: [Step] = []
  private var free: [Int32] = []
  /// The pending beginnings, by the number of their forced switches.
  private var layers: [[Pending]] = [[Pending(last: -1, line: -1, choices: 0, sleep: [:])]]
  private(set) var waitingCount = 1
  /// The maximum number of pending beginnings: those which are never run needn't be kept.
  private let limit: Int
  /// True if some were dropped.
  private(set) var isTruncated = false

  init(limit: Int) { self.limit = limit }

  /// The number of forced switches of the orders that are next; all with fewer have been run.
  var forced: Int? { layers.firstIndex { !$0.isEmpty } }

  /// Removes the next beginning, whose order is to be run and added.
  mutating func next() -> Start? {
    guard let forced else { return nil }
    waitingCount -= 1
    let pending = layers[forced].removeLast()
    var before: [Step] = []
    var last = pending.last
    while last >= 0 {
      before.append(steps[Int(last)])
      last = steps[Int(last)].last
    }
    return Start(pending, after: before.reversed(), forced: forced)
  }

  /// Notes the alternatives in an order that was run.
  mutating func add(_ trail: Trail, of start: Start) {
    // The last step that is shared, in use here, and the number of steps up to it.
    var (last, shared) = (start.pending.last, start.length - (start.pending.line < 0 ? 0 : 1))
    defer { release(last) }
    guard start.length < trail.chosen.count else { return }
    var sleep = start.sleep
    // The last ones are taken first, so that orders which differ late come soon.
    for step in start.length..<trail.chosen.count {
      let choices = trail.choices[step]
      let previous = step == 0 ? nil : trail.on[step - 1]
      let mayGoOn = previous.map(choices.contains) ?? false
      let (chosen, footprints) = (trail.chosen[step], trail.footprints[step])
      var tried = sleep
      tried[chosen] = footprints[chosen]
      for line in choices where line != chosen && sleep[line] == nil {
        let forced = start.forced + (mayGoOn && line != previous ? 1 : 0)
        let asleep = Self.still(asleep: tried, after: footprints[line])
        tried[line] = footprints[line]
        guard hasRoom(for: forced) else { continue }
        for step in shared..<step { last = share(trail, step, after: last) }
        shared = step
        push(Pending(last: last, line: Int32(line), choices: Self.sum(of: choices), sleep: asleep), forced)
      }
      sleep = Self.still(asleep: sleep, after: footprints[chosen])
    }
  }

  /// Returns a check sum of choices.
  private static func sum(of choices: [Int]) -> UInt32 {
    choices.reduce(0x811c_9dc5) { ($0 ^ UInt32(truncatingIfNeeded: $1)) &* 0x0100_0193 }
  }

  /// Returns the steps that are still asleep after a step with a footprint.
  static func still(asleep: Sleep, after footprint: Set<String>?) -> Sleep {
    guard let footprint, !asleep.isEmpty else { return [:] }
    return asleep.filter { $0.value.isDisjoint(with: footprint) }
  }

  /// Returns the line that continues by default: the same as before, if it can.
  static func goOn(_ previous: Int?, _ choices: [Int]) -> Int? {
    if let previous, choices.contains(previous) { return previous }
    return choices.first
  }

  /// Makes room for a beginning with so many forced switches: those with the most are dropped first.
  private mutating func hasRoom(for forced: Int) -> Bool {
    guard waitingCount >= limit else { return true }
    isTruncated = true
    while layers.last?.isEmpty == true { layers.removeLast() }
    guard forced < layers.count - 1 else { return false }
    let dropped = layers.removeLast()
    for pending in dropped { release(pending.last) }
    waitingCount -= dropped.count
    return true
  }

  private mutating func push(_ pending: Pending, _ forced: Int) {
    while layers.count <= forced { layers.append([]) }
    layers[forced].append(pending)
    if pending.last >= 0 { steps[Int(pending.last)].uses += 1 }
    waitingCount += 1
  }

  // MARK: Shared steps

  /// The number of shared steps that are in use.
  var sharedCount: Int { steps.count - free.count }

  /// Adds a step, which takes over the use of the one before it, and returns its place; it is in use once.
  private mutating func share(_ trail: Trail, _ step: Int, after last: Int32) -> Int32 {
    let new = Step(last: last, line: Int32(trail.chosen[step]), choices: Self.sum(of: trail.choices[step]), uses: 1)
    if let place = free.popLast() {
      steps[Int(place)] = new
      return place
    }
    steps.append(new)
    return Int32(steps.count - 1)
  }

  /// Ends a use of a step: frees it if nothing else follows it, and so on with those before it.
  private mutating func release(_ step: Int32) {
    var step = step
    while step >= 0 {
      steps[Int(step)].uses -= 1
      guard steps[Int(step)].uses == 0 else { return }
      free.append(step)
      step = steps[Int(step)].last
    }
  }
}
