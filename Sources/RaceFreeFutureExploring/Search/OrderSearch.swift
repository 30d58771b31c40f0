// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The search of orders: every order once, those with the fewest forced switches first.
///
/// An order is identified by its choices. A *forced switch* is a choice of another line although the one before could
/// have continued. (Iterative context bounding: Musuvathi and Qadeer, 2007.)
///
/// Of orders that differ only in the position of independent steps, one is run. Two steps are independent if they use
/// nothing in common, or only read it (``Footprint``). So an order that was run begins others only where two of its
/// steps are in a race: up to the first of them, then the second one, or what that one needs (``Reversals``). And where
/// one of two independent steps has been tried first, the other begins no new order by being first, as long as nothing
/// happens that depends on it: it is *asleep*. (Source sets: Abdulla, Aronis, Jonsson and Sagonas, 2014; sleep sets:
/// Godefroid, 1996.) The sequence in which the orders are run doesn't matter for that: of two steps that were tried in
/// the same place, the one that was tried later counts on the other.
///
/// Where all steps depend on each other, an order begins others at each of its steps, with each alternative.
///
/// Pure: it runs no code.
struct OrderSearch {
  /// A choice that was tried, with what its step uses.
  struct Asleep {
    let choice: Int
    let line: Int
    let footprint: Footprint
  }

  /// The way in which an order begins others.
  enum Expansion {
    /// With each alternative to each of its steps.
    case alternatives
    /// With the other way round of each race.
    case reversals
  }

  /// The beginning of an order.
  struct Start {
    private let chosen: [Int]
    /// The check sums of the choices when these steps were taken for the first time.
    private let choices: [UInt32]
    fileprivate let pending: Pending
    /// The state before each of its steps.
    fileprivate let states: [Int32]
    /// The number of its forced switches.
    let forced: Int
    /// The steps that are asleep before the last of these.
    let sleep: [Asleep]

    fileprivate init(_ pending: Pending, _ states: [(place: Int32, state: State)], _ sleep: [Asleep], forced: Int) {
      self.pending = pending
      self.forced = forced
      self.sleep = sleep
      self.states = states.map(\.place)
      let own = pending.choice < 0 ? [] : [(pending.choice, pending.choices)]
      chosen = states.dropFirst().map { Int($0.state.choice) } + own.map { Int($0.0) }
      choices = states.dropFirst().map(\.state.choices) + own.map(\.1)
    }

    /// The number of steps that it determines.
    var length: Int { chosen.count }

    func line(at step: Int) -> Int? { step < length ? chosen[step] : nil }

    /// Returns true if these were the choices when the step was taken for the first time, or if it is a new step.
    func knows(_ choices: [Int], at step: Int) -> Bool {
      step >= length || self.choices[step] == OrderSearch.sum(of: choices)
    }
  }

  /// A beginning that hasn't been run.
  struct Pending {
    /// The state before its last step.
    var state: Int32
    /// The choice there; -1: the first order of all.
    var choice: Int32
    /// The check sum of the choices there.
    var choices: UInt32
  }

  /// A state that pending beginnings share: after a step, and before the next one.
  struct State {
    var last: Int32 = -1
    /// The choice that led here.
    var choice: Int32 = -1
    /// The check sum of the choices there.
    var choices: UInt32 = 0
    /// The number of forced switches up to here.
    var forced: Int32 = 0
    /// The number of states and pending beginnings that follow it.
    var uses: Int32 = 1
    /// The steps that are asleep here.
    var sleep: [Asleep] = []
    /// The choices that were, or will be, tried here; the footprint is nil until then.
    var tried: [(choice: Int32, line: Int32, footprint: Footprint?)] = []
  }

  /// The way in which orders begin others; nil: it depends on the first one.
  var expansion: Expansion?
  /// All shared states, as a tree.
  ///
  /// A state that isn't used any more is free for another one.
  var states: [State]
  var free: [Int32] = []
  /// The pending beginnings, by the number of their forced switches.
  var layers: [[Pending]]
  var waitingCount = 1
  /// The maximum number of pending beginnings: those which are never run needn't be kept.
  private let limit: Int
  /// True if some were dropped.
  var isTruncated = false

  /// True if orders are left out because others show the same.
  var isReducing: Bool { expansion == .reversals }

  /// The part of the search to run, as long as it isn't chosen yet: every part runs the first orders, until there are
  /// enough beginnings to share out.
  var part: SearchPart?
  /// The number of orders that every part has run.
  var common = 0

  init(limit: Int, _ expansion: Expansion? = nil, part: SearchPart? = nil) {
    self.limit = limit
    self.part = part
    self.expansion = expansion
    states = [State()]
    layers = [[Pending(state: 0, choice: -1, choices: 0)]]
  }

  /// The number of forced switches of the orders that are next; all with fewer have been run.
  var forced: Int? { layers.firstIndex { !$0.isEmpty } }

  /// True if the order that was begun last is counted by another part.
  private(set) var isOfOthers = false

  /// Keeps those of the pending beginnings that belong to the part, if there are enough of them.
  ///
  /// Before that, each alternative to a step begins an order; so nothing that is found in one part begins an order of
  /// another one.
  private mutating func shareOut() {
    guard let part, waitingCount >= part.count * SearchPart.beginnings else { return }
    self.part = nil
    var index = 0
    for layer in layers.indices {
      for pending in layers[layer] {
        if !part.runs(index) { release(pending.state) }
        index += 1
      }
      let first = index - layers[layer].count
      layers[layer] = layers[layer].enumerated().filter { part.runs(first + $0.offset) }.map(\.element)
    }
    waitingCount = layers.reduce(0) { $0 + $1.count }
  }

  /// Removes the next beginning, whose order is to be run and added.
  mutating func next() -> Start? {
    shareOut()
    isOfOthers = part.map { !$0.runs(common) } ?? false
    if part != nil { common += 1 }
    guard let forced else { return nil }
    waitingCount -= 1
    let pending = layers[forced].removeLast()
    var before: [(place: Int32, state: State)] = []
    var place = pending.state
    while place >= 0 {
      before.append((place, states[Int(place)]))
      place = states[Int(place)].last
    }
    let state = states[Int(pending.state)]
    let tried = state.tried.compactMap { tried in
      tried.footprint.map { Asleep(choice: Int(tried.choice), line: Int(tried.line), footprint: $0) }
    }
    return Start(pending, before.reversed(), state.sleep + tried, forced: forced)
  }

  /// Notes what an order that was run begins.
  mutating func add(_ trail: OrderTrail, of start: Start) {
    defer { release(start.pending.state) }
    let shared = start.states.count
    // The last step of a beginning may have turned out to be impossible.
    guard trail.count >= shared, trail.count > 0 else { return }
    // Where all steps depend on each other, the simple way is the same, and those with few switches come first.
    if expansion == nil { expansion = trail.footprints.allSatisfy(\.isAnything) ? .alternatives : .reversals }
    var new = NewStates(after: shared)
    note(trail, shared - 1, at: start.pending.state)
    var sleep = Self.still(start.sleep, after: trail.on[shared - 1], trail.footprints[shared - 1])
    for step in shared..<trail.count {
      new.states.append((sleep, [(Int32(trail.chosen[step]), Int32(trail.on[step]), trail.footprints[step])]))
      sleep = Self.still(sleep, after: trail.on[step], trail.footprints[step])
    }
    let isShared = part != nil
    // The last ones are taken first, so that orders which differ late come soon.
    for step in start.length..<max(start.length, trail.count) {
      for choice in trail.choices[step] where choice != trail.chosen[step] {
        // The other ways of the same step begin orders in any case.
        guard isShared || expansion == .alternatives || trail.actor(of: choice) == trail.on[step] else { continue }
        add(choice, at: step, trail, start, &new)
      }
    }
    if !isShared, expansion == .reversals {
      for reversal in Reversals(in: trail, from: shared - 1).found { add(reversal, trail, start, &new) }
    }
    push(trail, start, new)
  }

  /// States of an order that aren't shared yet, and what begins there.
  private struct NewStates {
    typealias State = (sleep: [Asleep], tried: [(choice: Int32, line: Int32, footprint: Footprint?)])

    /// The number of steps before the first of them.
    let after: Int
    var states: [State] = []
    /// The choices that begin an order, by their steps.
    var beginnings: [(step: Int, choice: Int)] = []

    init(after: Int) { self.after = after }
  }

  /// Notes what the last step of a beginning used.
  private mutating func note(_ trail: OrderTrail, _ step: Int, at state: Int32) {
    let (choice, line) = (Int32(trail.chosen[step]), Int32(trail.on[step]))
    var tried = states[Int(state)].tried
    tried.removeAll { $0.choice == choice }
    states[Int(state)].tried = tried + [(choice, line, trail.footprints[step])]
  }

  /// Adds the other way round of a race, unless an order begins with it already.
  private mutating func add(_ reversal: Reversals.Reversal, _ trail: OrderTrail, _ start: Start, _ new: inout NewStates)
  {
    let step = reversal.step
    let state = step < new.after ? states[Int(start.states[step])] : nil
    let sleep = state?.sleep ?? new.states[step - new.after].sleep
    let tried = state?.tried ?? new.states[step - new.after].tried
    let isBegun = reversal.beginnings.contains { choice in
      sleep.contains { $0.choice == choice } || tried.contains { Int($0.line) == trail.actor(of: choice) }
    }
    guard !isBegun, let first = reversal.beginnings.first else { return }
    for choice in trail.choices[step] where trail.actor(of: choice) == trail.actor(of: first) {
      add(choice, at: step, trail, start, &new)
    }
  }

  /// Adds an order that begins with another choice in one of the states, unless that is asleep there.
  private mutating func add(
    _ choice: Int,
    at step: Int,
    _ trail: OrderTrail,
    _ start: Start,
    _ new: inout NewStates
  ) {
    let tried = (choice: Int32(choice), line: Int32(trail.actor(of: choice)), footprint: Footprint?.none)
    if step < new.after {
      let state = Int(start.states[step])
      guard !states[state].sleep.contains(where: { $0.choice == choice }) else { return }
      states[state].tried.append(tried)
    } else {
      guard !new.states[step - new.after].sleep.contains(where: { $0.choice == choice }) else { return }
      new.states[step - new.after].tried.append(tried)
    }
    new.beginnings.append((step, choice))
  }

  /// Makes the beginnings pending, and the states that they share.
  private mutating func push(_ trail: OrderTrail, _ start: Start, _ new: NewStates) {
    var path = start.states
    // What all choices of a step have in common; there may be hundreds.
    var (known, mayGoOn, sum) = (-1, false, UInt32(0))
    for (step, choice) in new.beginnings.sorted(by: { $0.step < $1.step }) {
      let previous = step == 0 ? nil : trail.on[step - 1]
      if step != known {
        let choices = trail.choices[step]
        known = step
        mayGoOn = previous.map { previous in choices.contains { trail.actor(of: $0) == previous } } ?? false
        sum = Self.sum(of: choices)
      }
      let before = step < new.after ? Int(states[Int(path[step])].forced) : start.forced
      let forced = before + (mayGoOn && trail.actor(of: choice) != previous ? 1 : 0)
      guard hasRoom(for: forced) else { continue }
      while path.count <= step {
        path.append(share(trail, path.count, new.states[path.count - new.after], after: path.last ?? 0, start.forced))
      }
      let state = path[step]
      while layers.count <= forced { layers.append([]) }
      layers[forced].append(Pending(state: state, choice: Int32(choice), choices: sum))
      states[Int(state)].uses += 1
      waitingCount += 1
    }
    for state in path[start.states.count...] { release(state) }
  }

  /// Returns a check sum of choices.
  private static func sum(of choices: [Int]) -> UInt32 {
    choices.reduce(0x811c_9dc5) { ($0 ^ UInt32(truncatingIfNeeded: $1)) &* 0x0100_0193 }
  }

  /// Returns the steps that are still asleep after a step of a line.
  static func still(_ asleep: [Asleep], after line: Int, _ footprint: Footprint) -> [Asleep] {
    asleep.isEmpty
      ? []
      : asleep.filter {
        $0.line != line && !$0.footprint.conflicts(with: footprint) && !($0.footprint.isFresh && footprint.isFresh)
      }
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
    for pending in dropped { release(pending.state) }
    waitingCount -= dropped.count
    return true
  }

  // MARK: Shared states

  /// The number of shared states that are in use.
  var sharedCount: Int { states.count - free.count }

  /// Adds the state before a step, which follows another one, and returns its place; it is in use once.
  private mutating func share(
    _ trail: OrderTrail,
    _ step: Int,
    _ new: NewStates.State,
    after last: Int32,
    _ forced: Int
  ) -> Int32 {
    states[Int(last)].uses += 1
    let state = State(
      last: last,
      choice: Int32(trail.chosen[step - 1]),
      choices: Self.sum(of: trail.choices[step - 1]),
      forced: Int32(forced),
      uses: 1,
      sleep: new.sleep,
      tried: new.tried
    )
    if let place = free.popLast() {
      states[Int(place)] = state
      return place
    }
    states.append(state)
    return Int32(states.count - 1)
  }

  /// Ends a use of a state: frees it if nothing else follows it, and so on with those before it.
  private mutating func release(_ state: Int32) {
    var state = state
    while state >= 0 {
      states[Int(state)].uses -= 1
      guard states[Int(state)].uses == 0 else { return }
      free.append(state)
      let last = states[Int(state)].last
      (states[Int(state)].sleep, states[Int(state)].tried) = ([], [])
      state = last
    }
  }
}
