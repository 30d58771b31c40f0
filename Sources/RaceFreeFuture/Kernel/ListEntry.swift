// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An entry that waits for a future's outcome or end, in a list of that future: a handler or a link.
///
/// - **E1** An entry is in one list, and only code that holds the lock of that list touches its hook, its work, its runner.
///   The hook is `rest`, `previous` and `standing`. A list that has left the future, of entries that go to a queue, are woken
///   or released, belongs to the one thread that has it; so do the entries in it that are `taken`.
/// - **E2** Work is taken once, under that lock, and the thread that has it runs it or releases it outside. So of "ran" and
///   "unregistered" exactly one holds. (L2)
///
/// That makes the subclasses `@unchecked Sendable`, and the variables need no check of exclusive access (E1).
@safe
class ListEntry: @unchecked Sendable {
  enum Role: UInt8 {
    /// A user's handler.
    case user
    /// An action of the library at the outcome.
    case library
    /// A `Link`; all others are `HandlerNode`s.
    case link
    /// Wakes a thread or task that waits for the outcome; it comes before all others, and runs no user code.
    case waiter
    /// A `TimedNode`, which is in the list as long as its timer may still resolve the future.
    case timer
    /// A timer that is a deadline, a `DeadlineTimer`.
    case deadline
    /// Waits until all handlers have returned, and nothing of the future itself is open.
    case awaitsHandlers
    /// Waits until all handlers have been dispatched and the inline ones have returned.
    case awaitsDelivery
    /// Waits for the same, and until nothing is open in nested scopes.
    case awaitsEnd
    /// Waits for the same as `awaitsEnd`; but of a scope it needs no outcome, and it isn't among what depends on a future.
    case drain

    /// True if it doesn't wait for the outcome: the outcome stops it, or it waits for the end.
    var isAside: Bool { rawValue >= Role.timer.rawValue }
    /// True if the outcome stops it.
    var isTimer: Bool { self == .timer || self == .deadline }
  }

  /// The place of an entry.
  enum Standing {
    /// In no list, and the task that is going to wait isn't suspended yet.
    case unparked
    /// In no list of the future: it is new, or was removed; a handler may run, or be on its way to that.
    case free
    /// In a list of the future.
    case listed
    /// The same, and for a queue, and it was added after the outcome: see `FutureMachine.next`.
    case late
    /// On its way to be woken or released, by the thread that has it.
    case taken
  }

  /// The entries behind it.
  ///
  /// A list, because for a bare reference to its own class the compiler adds a loop to the end of each object. None is
  /// needed: what leaves a list is taken apart entry by entry.
  @safe @exclusivity(unchecked) final var rest = EntryList()
  /// The entry before it; that of the first one is the last one of the list.
  ///
  /// Not retained: a listed entry is kept alive by the one before it, the last one by the whole chain.
  @exclusivity(unchecked) final var previous: Unmanaged<ListEntry>?
  final let role: Role
  @safe @exclusivity(unchecked) final var standing = Standing.free
  final var isListed: Bool { standing == .listed || standing == .late }

  init(_ role: Role) { self.role = role }

  /// The node of a handler, unless it is a link.
  @inline(__always)
  final var node: HandlerNode? { role == .link ? nil : unsafe unsafeDowncast(self, to: HandlerNode.self) }

  /// The link, if it is one.
  @inline(__always)
  final var link: Link? { role == .link ? unsafe unsafeDowncast(self, to: Link.self) : nil }

  /// True if it is a user's handler, or what a derived future gets its outcome by, or a scope the end.
  final var dependsOnFuture: Bool {
    role == .user || role == .awaitsHandlers || role == .awaitsEnd || link?.keptEnd == .target
  }
}

/// A doubly linked list through its entries: adding and removing take constant time at any length, and allocate
/// nothing.
///
/// It is a single word, because every future has one: the first entry refers to the last.
///
/// The references it doesn't retain are safe because the list keeps the first entry alive and each entry the next, so
/// every `previous` refers to an entry that is alive as long as the list isn't empty.
///
/// An entry's `rest` is a plain reference to the next one: only its `first` is used.
@safe
struct EntryList {
  var first: ListEntry?

  var isEmpty: Bool { first == nil }

  var last: ListEntry? { unsafe first?.previous?.takeUnretainedValue() }

  mutating func append(_ entry: ListEntry) {
    guard let first else {
      unsafe entry.previous = Unmanaged.passUnretained(entry)
      first = entry
      return
    }
    unsafe entry.previous = first.previous
    unsafe first.previous = Unmanaged.passUnretained(entry)
    unsafe entry.previous?._withUnsafeGuaranteedRef { $0.rest.first = entry }
  }

  mutating func prepend(_ entry: ListEntry) {
    guard let former = first.take() else { return append(entry) }
    unsafe entry.previous = former.previous
    unsafe former.previous = Unmanaged.passUnretained(entry)
    entry.rest.first = former
    first = entry
  }

  /// Removes an entry that is in this list and that the caller keeps alive.
  mutating func remove(_ entry: ListEntry) {
    let next = entry.rest.first.take()
    // After the removal of the last one the first one has to refer to the new last one.
    if let next { unsafe next.previous = entry.previous } else { unsafe first?.previous = entry.previous }
    if entry === first {
      first = next
    } else {
      unsafe entry.previous?._withUnsafeGuaranteedRef { $0.rest.first = next }
    }
    unsafe entry.previous = nil
  }

  /// Removes the first entry.
  ///
  /// By repeated calls a list of any length is released without recursion (law L10).
  mutating func popFirst() -> ListEntry? {
    guard let entry = first.take() else { return nil }
    first = entry.rest.first.take()
    unsafe first?.previous = entry.previous
    unsafe entry.previous = nil
    return entry
  }

  /// Calls the body with each entry; it changes nothing in the list, which keeps all of them.
  @inline(__always)
  func forEach(_ body: (ListEntry) -> Void) {
    var entry = unsafe first.map(Unmanaged.passUnretained)
    while let current = unsafe entry {
      unsafe current._withUnsafeGuaranteedRef {
        body($0)
        unsafe entry = $0.rest.first.map(Unmanaged.passUnretained)
      }
    }
  }
}
