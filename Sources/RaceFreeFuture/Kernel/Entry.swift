// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An entry of a future's list: what waits for the future's outcome, or for its end.
///
/// - **E1** An entry is in one list, and only code that holds the lock of that list touches its hook, its work, its
///   runner. A list that has left the future, of entries that go to a queue, are woken or released, belongs to the one
///   thread that has it; so do the entries in it that are `taken`.
/// - **E2** Work is taken once, under that lock, and the thread that has it runs it or releases it outside. So of "ran"
///   and "unregistered" exactly one holds. (L2)
/// - **E3** A list keeps its entries: a count of each belongs to it. But a child keeps its parent, so the list of the
///   parent doesn't keep the child before it is to be notified: until then it leaves the list, under the parent's lock,
///   before its memory goes; and code that finds it there, under that lock, asks whether it still exists.
///
/// That makes the classes `@unchecked Sendable`, the references `@safe`, and needs no check of exclusive access (E1).
@safe
enum Entry {
  case node(Unmanaged<HandlerNode>)
  case timer(Unmanaged<TimedNode>)
  case link(Unmanaged<Link>)
  case child(Unmanaged<ChildFuture>)
  case derived(Unmanaged<DerivedFuture>)

  /// The place of an entry in its list.
  struct Hook {
    fileprivate var next: Entry?
    /// The entry before; of the first entry, the last one of the list.
    fileprivate var previous: Entry?

    var isFree: Bool { next == nil && previous == nil }
  }

  /// The state of a handler's node, of a link or of a derived future, as an entry.
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

  init(_ node: HandlerNode) { unsafe self = .node(.passUnretained(node)) }
  init(_ timer: TimedNode) { unsafe self = .timer(.passUnretained(timer)) }
  init(_ link: Link) { unsafe self = .link(.passUnretained(link)) }
  init(_ child: ChildFuture) { unsafe self = .child(.passUnretained(child)) }
  init(_ derived: DerivedFuture) { unsafe self = .derived(.passUnretained(derived)) }

  @inline(__always)
  private func withHook<Result>(_ body: (inout Hook) -> Result) -> Result {
    switch self {
    case .node(let node): unsafe node._withUnsafeGuaranteedRef { body(&$0.hook) }
    case .timer(let timer): unsafe timer._withUnsafeGuaranteedRef { body(&$0.hook) }
    case .link(let link): unsafe link._withUnsafeGuaranteedRef { body(&$0.hook) }
    case .child(let child): unsafe child._withUnsafeGuaranteedRef { body(&$0.hook) }
    case .derived(let derived): unsafe derived._withUnsafeGuaranteedRef { body(&$0.hook) }
    }
  }

  /// The entry behind it.
  @inline(__always)
  fileprivate(set) var next: Entry? {
    get { withHook { $0.next } }
    nonmutating set { withHook { $0.next = newValue } }
  }

  @inline(__always)
  fileprivate var previous: Entry? {
    get { withHook { $0.previous } }
    nonmutating set { withHook { $0.previous = newValue } }
  }

  /// The standing of a node, link or derived future; a timer's or child's isn't noted.
  @inline(__always)
  var standing: Standing {
    get {
      switch self {
      case .node(let node): unsafe node._withUnsafeGuaranteedRef { $0.standing }
      case .link(let link): unsafe link._withUnsafeGuaranteedRef { $0.standing }
      case .derived(let derived): unsafe derived._withUnsafeGuaranteedRef { $0.standing }
      case .timer, .child: .listed
      }
    }
    nonmutating set {
      switch self {
      case .node(let node): unsafe node._withUnsafeGuaranteedRef { $0.standing = newValue }
      case .link(let link): unsafe link._withUnsafeGuaranteedRef { $0.standing = newValue }
      case .derived(let derived): unsafe derived._withUnsafeGuaranteedRef { $0.standing = newValue }
      case .timer, .child: break
      }
    }
  }

  /// The role of a node.
  @inline(__always)
  var role: HandlerNode.Role? {
    guard case .node(let node) = self else { return nil }
    return unsafe node._withUnsafeGuaranteedRef { $0.role }
  }

  /// The node, if it is one of a handler; the list keeps it.
  @inline(__always)
  var node: HandlerNode? {
    guard case .node(let node) = self else { return nil }
    return unsafe node.takeUnretainedValue()
  }

  /// The link, if it is one; the list keeps it.
  @inline(__always)
  var link: Link? {
    guard case .link(let link) = self else { return nil }
    return unsafe link.takeUnretainedValue()
  }

  // MARK: Counts (E3)

  private var object: Unmanaged<AnyObject> {
    switch self {
    case .node(let node): unsafe .fromOpaque(node.toOpaque())
    case .timer(let timer): unsafe .fromOpaque(timer.toOpaque())
    case .link(let link): unsafe .fromOpaque(link.toOpaque())
    case .child(let child): unsafe .fromOpaque(child.toOpaque())
    case .derived(let derived): unsafe .fromOpaque(derived.toOpaque())
    }
  }

  /// Adds the count of a list.
  @inline(__always) func retain() { _ = unsafe object.retain() }

  /// Gives the count of a list back.
  @inline(__always) func release() { unsafe object.release() }
}

/// A doubly linked list through its entries: adding and removing take constant time at any length, and allocate
/// nothing.
///
/// It is a single word, because every future has one: the first entry refers to the last.
///
/// An entry's count (E3) comes and goes with the entry; the list gives the counts of the remaining entries back at its
/// end.
@safe
struct EntryList: ~Copyable {
  private(set) var first: Entry?

  @inline(__always)
  deinit {
    if let first { Self.release(first) }
  }

  /// One by one: a list of any length is released without recursion (law L10).
  @inline(never)
  private static func release(_ first: Entry) {
    var next: Entry? = first
    while let entry = next {
      next = entry.next
      entry.release()
    }
  }

  @inline(__always) var isEmpty: Bool { first == nil }

  var last: Entry? { first?.previous }

  @inline(__always)
  mutating func append(_ entry: Entry) {
    if let first {
      first.previous?.next = entry
      entry.previous = first.previous
      first.previous = entry
    } else {
      entry.previous = entry
      first = entry
    }
  }

  mutating func prepend(_ entry: Entry) {
    guard let former = first else { return append(entry) }
    entry.previous = former.previous
    former.previous = entry
    entry.next = former
    first = entry
  }

  /// Removes an entry that is in this list.
  mutating func remove(_ entry: Entry) {
    let (next, previous) = (entry.next, entry.previous)
    // Only the last entry has none behind it, and the first one refers to it.
    if previous?.next == nil { first = next } else { previous?.next = next }
    // After the removal of the last one the first one has to refer to the new last one.
    if let next { next.previous = previous } else { first?.previous = previous }
    (entry.next, entry.previous) = (nil, nil)
  }

  @inline(__always)
  mutating func popFirst() -> Entry? {
    guard let entry = first else { return nil }
    first = entry.next
    first?.previous = entry.previous
    (entry.next, entry.previous) = (nil, nil)
    return entry
  }

  /// Calls the body with each entry.
  @inline(__always)
  func forEach(_ body: (Entry) -> Void) {
    var next = first
    while let entry = next {
      body(entry)
      next = entry.next
    }
  }
}
