// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An entry that waits for a future's outcome, in the list of that future: a handler or a link.
///
/// `rest`, `previous` and `isListed` belong to the future's lock as long as the entry is in the future's list, and to
/// the one thread that delivers once it has been removed with its chain (invariant M6 of `FutureMachine`). That makes
/// the subclasses `@unchecked Sendable`.
@safe
class ListEntry: @unchecked Sendable {
  enum Role {
    /// A user's handler.
    case user
    /// An action of the library at the outcome.
    case library
    /// A `TimedNode`, which is in the list as long as its timer may still resolve the future.
    case timer
    /// Wakes a thread or task that waits for the outcome; it comes before all others, and runs no user code.
    case waiter
    /// Waits until all handlers have returned, and nothing of the future itself is open.
    case awaitsHandlers
    /// Waits until all handlers have been dispatched and the inline ones have returned.
    case awaitsDelivery
    /// Waits for the same, and until nothing is open in nested scopes.
    case awaitsEnd
    /// Waits for the same as `awaitsEnd`; but of a scope it needs no outcome, and it isn't among what depends on a future.
    case drain
    /// A `Link`; all others are `HandlerNode`s.
    case link
  }

  /// The entries behind it.
  ///
  /// A list, because for a bare reference to its own class the compiler adds a loop to the end of each object. None is
  /// needed: what leaves a list is taken apart entry by entry.
  final var rest = EntryList()
  /// The entry before it; that of the first one is the last one of the list.
  ///
  /// Not retained: a listed entry is kept alive by the one before it, the last one by the whole chain.
  final var previous: Unmanaged<ListEntry>?
  final let role: Role
  final var isListed = false

  init(_ role: Role) { self.role = role }

  /// The handler, unless it is a link.
  @inline(__always)
  final var handler: HandlerNode? { role == .link ? nil : unsafe unsafeDowncast(self, to: HandlerNode.self) }

  /// The link, if it is one.
  @inline(__always)
  final var link: Link? { role == .link ? unsafe unsafeDowncast(self, to: Link.self) : nil }

  /// True if it is a user's handler, or what a derived future gets its outcome by, or a scope the end.
  final var dependsOnFuture: Bool {
    role == .user || role == .awaitsHandlers || role == .awaitsEnd || link?.keptEnd == .target
  }

  /// Calls the body with each handler from this entry on; otherwise like `forEachLink`.
  final func forEachHandler(_ body: (HandlerNode) -> Void) {
    var entry: Unmanaged<ListEntry>? = unsafe .passUnretained(self)
    while let current = unsafe entry {
      unsafe current._withUnsafeGuaranteedRef {
        if let handler = $0.handler { body(handler) }
        unsafe entry = $0.rest.first.map(Unmanaged.passUnretained)
      }
    }
  }

  /// Calls the body with each link from this entry on; it changes nothing in the list, which keeps all of them.
  @inline(__always)
  final func forEachLink(_ body: (Link) -> Void) {
    var entry: Unmanaged<ListEntry>? = unsafe .passUnretained(self)
    while let current = unsafe entry {
      unsafe current._withUnsafeGuaranteedRef {
        if let link = $0.link { body(link) }
        unsafe entry = $0.rest.first.map(Unmanaged.passUnretained)
      }
    }
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
/// That is said of the list of a future. An entry's `rest` is a plain reference to the next one: only its `first` is used.
@safe
struct EntryList {
  var first: ListEntry?

  var isEmpty: Bool { first == nil }

  mutating func append(_ entry: ListEntry) {
    entry.isListed = true
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
    entry.isListed = true
    unsafe entry.previous = former.previous
    unsafe former.previous = Unmanaged.passUnretained(entry)
    entry.rest.first = former
    first = entry
  }

  /// Removes the entries before the first one that doesn't match; they are still linked by `rest`.
  mutating func takePrefix(while predicate: (ListEntry) -> Bool) -> ListEntry? {
    guard let head = first, predicate(head) else { return nil }
    let tail = unsafe head.previous
    var last = head
    last.isListed = false
    while let entry = last.rest.first, predicate(entry) {
      entry.isListed = false
      last = entry
    }
    first = last.rest.first.take()
    unsafe first?.previous = tail
    return head
  }

  /// Removes an entry that is in this list and that the caller keeps alive.
  mutating func remove(_ entry: ListEntry) {
    entry.isListed = false
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

  /// Removes all entries at once, in constant time; they are still linked by `rest`.
  mutating func takeAll() -> ListEntry? { first.take() }
}
