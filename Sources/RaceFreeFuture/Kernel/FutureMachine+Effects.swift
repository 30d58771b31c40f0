// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// What the machine's events return: the effects, which `Engine` performs.

extension FutureMachine {
  /// The effect of an event that may decide the future.
  enum Effect: ~Copyable {
    /// None: it came too late, or the future can't be resolved.
    case none
    /// Enqueue this decision on the private queue; it has been counted.
    case enqueue(Resolution)
    /// None yet: the running block has decided, and its end brings the rest.
    case hold
    /// None here: it came too late. But the future's neighbors are still being notified, and a walk that promises a whole
    /// tree notifies them, too.
    case join
    /// It is decided, and nothing waits for it: cut the links by which it depended on others.
    case finish(SourceList)
    /// It is decided, and a single inline handler waits for it, which has started: run it, then ask `ran` for the rest.
    case run(HandlerWork, Resolution)
    /// It is decided: deliver at once.
    case deliver(Delivery)
    /// It is decided: notify the neighbors, wake the waiters, if there are any, then ask `marked` for the rest.
    case mark(Neighbors, hasWaiters: Bool)

    /// True if the event has decided the future.
    var decides: Bool {
      switch self {
      case .none: false
      case .enqueue: false
      case .join: false
      default: true
      }
    }
  }

  /// The delivery of a future, in the hands of the thread that has decided it (M4).
  struct Delivery: ~Copyable {
    let resolution: Resolution
    /// The links by which it depended on others: to be cut.
    var sources: SourceList
    /// Entries that have nothing to do at this outcome: to be released.
    var dropped = EntryList()
    /// The first handler, if it has nothing to do at this outcome: it is released with the delivery.
    var unused: HandlerWork?
    /// The handler that was run last, until its return is noted.
    var returned: HandlerID?
    /// What comes next.
    var step: Step

    /// Takes over an entry that has left the list, to be released.
    mutating func drop(_ entry: Entry) {
      entry.standing = .taken
      dropped.append(entry)
    }
  }

  /// A piece of a delivery, or of a block on a queue.
  enum Step: ~Copyable {
    /// Take the next piece, under the lock.
    case next
    /// Wake the waiters for the outcome.
    case wake(EntryList)
    /// Run the work of a handler, which has started on this thread, and report its return.
    case run(HandlerWork, HandlerID)
    /// Wake the threads that wait for the return of a handler, by leaving their group.
    case leave(DispatchGroup)
    /// Give handlers to their queue; they have been counted as dispatched.
    case dispatch(Batch, HandlerPlace.Kind)
    /// Get the answer of a derived future. A stage for a queue has been counted as dispatched.
    case answer(Stage)
    /// Do what remains for another link.
    case pass(Link)
    /// Let a child forget the future, which is completed.
    case forget(ChildFuture)
    /// Only late entries are left: dispatch them before the lock is left, and ask for what follows in the same turn.
    case late
    /// It is over, and perhaps something follows.
    case over(Ending?)
  }

  /// Handlers that run in one block of a queue: one for a given queue, or several for the private one.
  ///
  /// As long as one hasn't begun it can be unregistered.
  struct Batch {
    /// Nil when it has been taken.
    private(set) var first: HandlerID?
    var others: ArraySlice<HandlerNode> = []

    init(_ first: HandlerID) { self.first = first }

    mutating func popFirst() -> HandlerID? { first.take() ?? others.popFirst().map(HandlerID.node) }
  }

  /// The futures that an outcome affects next.
  ///
  /// In a line of futures each has one, so the first needs no allocation.
  struct Neighbors {
    enum Element {
      /// The future at the other end of a link.
      case link(Link, from: Link.End)
      case child(ChildFuture)
      /// The only source of a derived future.
      case source(Future)
    }

    /// What is passed on to all of them, and the future that does so.
    var resolution = Resolution.completed
    var sender: ObjectIdentifier?
    private var first: Element?
    /// The others, the next one last.
    private var rest: [Element] = []

    init() {}

    /// Collects them: `visit` calls its argument with one after the other.
    @inline(__always)
    init(_ resolution: Resolution, _ visit: (_ add: (consuming Element) -> Void) -> Void) {
      visit { (element: consuming Element) in
        if first == nil { first = consume element } else { rest.append(element) }
      }
      if !rest.isEmpty { rest.reverse() }
      if first != nil { self.resolution = resolution }
    }

    var isEmpty: Bool { first == nil && rest.isEmpty }

    @inline(__always)
    mutating func popFirst() -> Element? {
      if let element = first.take() { return element }
      let element = rest.popLast()
      // Nothing is kept of what is over (law L7).
      if rest.isEmpty { rest = [] }
      return element
    }
  }

  /// The effect of adding a handler or link.
  enum Addition {
    case keep
    /// Run or dispatch it now, or for a link notify the other end; entries in which user code may run have been counted
    /// as dispatched. A handler that runs inline is taken.
    case dispatch(Resolution)
    /// The scope around has to be opened first (O1).
    case open
    case drop
  }
}
