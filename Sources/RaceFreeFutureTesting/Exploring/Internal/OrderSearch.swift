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
    fileprivate let trail: Trail
    /// The number of steps that are the same as in the trail.
    fileprivate let count: Int
    fileprivate let next: Int?
    /// The number of its forced switches.
    let forced: Int
    /// The steps that are asleep after these.
    let sleep: Sleep

    /// The number of steps that it determines.
    var length: Int { count + (next == nil ? 0 : 1) }

    func line(at step: Int) -> Int? { step < count ? trail.chosen[step] : step == count ? next : nil }

    /// Returns the choices when these steps were taken for the first time.
    func choices(at step: Int) -> [Int]? { step < length ? trail.choices[step] : nil }
  }

  /// The pending beginnings, by the number of their forced switches.
  private var layers: [[Start]] = [[Start(trail: Trail(), count: 0, next: nil, forced: 0, sleep: [:])]]
  private(set) var waitingCount = 1
  /// The maximum number of pending beginnings: those which are never run needn't be kept.
  private let limit: Int
  /// True if some were dropped.
  private(set) var isTruncated = false

  init(limit: Int) { self.limit = limit }

  /// The number of forced switches of the orders that are next; all with fewer have been run.
  var forced: Int? { layers.firstIndex { !$0.isEmpty } }

  mutating func next() -> Start? {
    guard let forced else { return nil }
    waitingCount -= 1
    return layers[forced].removeLast()
  }

  /// Notes the alternatives in an order that was run.
  mutating func add(_ trail: Trail, of start: Start) {
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
        push(Start(trail: trail, count: step, next: line, forced: forced, sleep: asleep))
        tried[line] = footprints[line]
      }
      sleep = Self.still(asleep: sleep, after: footprints[chosen])
    }
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

  private mutating func push(_ start: Start) {
    if waitingCount >= limit {
      isTruncated = true
      while layers.last?.isEmpty == true { layers.removeLast() }
      guard start.forced < layers.count - 1 else { return }
      waitingCount -= layers.removeLast().count
    }
    while layers.count <= start.forced { layers.append([]) }
    layers[start.forced].append(start)
    waitingCount += 1
  }
}
