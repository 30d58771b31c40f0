// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What keeps a future open, and the waits for the end of that. (L12)
//
// - **O1** A nested scope in which something is open is one open piece of the scope around it: opened there first, and
//   closed there last. It opens itself there before it begins to count, or is decided while handlers wait that belong
//   to the outcome; it closes itself there after its number has become zero and its handlers have returned. So while
//   something is open, every scope around it is. (L12)
// - **O2** Each opening of the scope around has one closing. The flag `isOpen` tells whether there is one that hasn't
//   been closed: the event that sets or clears it says so to one thread, which has opened, or closes.

extension FutureMachine {
  /// The relation of a scope to nested scopes, and to the scope around it: in one word, because every future has it.
  struct Nesting {
    enum Flag: Int32 {
      /// It is a scope, which may be drained while undecided.
      case isScope = 1
      /// It is inside another one.
      case isNested = 2
      /// It is open in the scope around it.
      case isOpen = 4
    }

    private var word: Int32 = 0

    /// The number of nested scopes in which something is open.
    var count: Int32 {
      get { word >> 3 }
      set { word = newValue << 3 | word & 7 }
    }

    subscript(flag: Flag) -> Bool {
      get { word & flag.rawValue != 0 }
      set { word = newValue ? word | flag.rawValue : word & ~flag.rawValue }
    }
  }

  /// What follows from an end.
  struct Ending: ~Copyable {
    /// The waits that are over.
    var waiters: EntryList
    /// True if the scope around is to be closed.
    let closesAround: Bool
  }

  // MARK: Opening

  /// Counts a piece of work that the caller dispatches, of a future that is open around (M10).
  mutating func countDispatched() { unreturned += 1 }

  private mutating func count(nested: Bool, _ change: Int32) {
    if nested { nesting.count += change } else { unreturned += change }
  }

  /// Counts a piece that begins, or a nested scope that opens; false if the scope around has to be opened before (O1).
  mutating func open(nested: Bool) -> Bool {
    if isClosed { return false }
    count(nested: nested, 1)
    return true
  }

  /// Counts a piece for which the scope around has been opened; false if that was open already, and has to be closed
  /// once (O2).
  mutating func openInside(nested: Bool) -> Bool {
    count(nested: nested, 1)
    defer { nesting[.isOpen] = true }
    return isClosed
  }

  /// True if it is nested, and nothing is open in it.
  var isClosed: Bool { nesting[.isNested] && !nesting[.isOpen] }

  /// True if the scope around has to be opened before this one is decided: handlers wait that will run (O1).
  func hasToOpen(at outcome: Future.Outcome) -> Bool { isClosed && phase == .pending && handlers.mayRun(at: outcome) }

  // MARK: Ending

  /// Counts the end of a piece; returns what follows, if anything does.
  mutating func ended(nested: Bool) -> Ending? {
    count(nested: nested, -1)
    // The waits for the own pieces alone ended with the last of these.
    guard unreturned == 0, !nested || isQuiet else { return nil }
    return takeEnding()
  }

  /// Returns what follows when nothing of the future itself is open, or when its handlers have been dispatched.
  mutating func takeEnding() -> Ending? {
    // Most have nothing to tell.
    guard !handlers.aside.isEmpty || nesting[.isOpen] else { return nil }
    var over = EntryList()
    var next = handlers.aside.first
    while let entry = next {
      next = entry.next
      guard let role = entry.role, isOver(role) else { continue }
      handlers.aside.remove(entry)
      entry.standing = .taken
      over.append(entry)
    }
    let closesAround = isQuiet && nesting[.isOpen]
    if closesAround { nesting[.isOpen] = false }
    return Ending(waiters: over, closesAround: closesAround)
  }

  /// True if nothing of it, or in nested scopes, runs or is on its way (M10).
  private var isQuiet: Bool {
    guard unreturned == 0, nesting.count == 0 else { return false }
    return switch phase {
    case .pending, .resolved, .unresolvable: true
    case .held, .marking, .delivering: false
    }
  }

  /// True if a wait of this role is over.
  func isOver(_ role: HandlerNode.Role) -> Bool {
    switch role {
    case .awaitsDelivery: phase == .resolved
    case .awaitsHandlers: phase == .resolved && unreturned == 0
    case .awaitsEnd: phase == .resolved && isQuiet
    case .drain: isQuiet && (phase != .pending || nesting[.isScope])
    case .user, .library, .waiter: false
    }
  }

  /// Adds a wait for an end, of the kind that the node's role says; false if that is over.
  mutating func awaitEnd(_ waiter: HandlerNode) -> Bool {
    if isOver(waiter.role) { return false }
    if phase != .unresolvable { enlist(waiter) }
    return true
  }

  /// True if it is decided, and more than the given number of its own pieces of work run or are on their way.
  func isOpen(besides count: Int) -> Bool {
    resolution != nil && (phase != .resolved || unreturned > Int32(clamping: count))
  }
}
