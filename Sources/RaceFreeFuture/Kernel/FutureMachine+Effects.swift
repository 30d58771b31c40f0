// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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
    /// It is decided, and nothing waits for it.
    case finish
    /// It is decided: deliver at once.
    case deliver(Resolution, Remains)
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

  /// What a future had when it was decided or released, for the thread that delivers or releases it.
  struct Remains: ~Copyable {
    var handlers: HandlerChain
    /// The links by which it depended on others: to be cut.
    var sources: SourceList
    /// True if the machine is to be told when the handlers are dispatched (`delivered`).
    let isReported: Bool
  }

  /// The futures that an outcome affects next: the links to them, each from the end at which the outcome is.
  ///
  /// In a line of futures each has one, so the first needs no allocation.
  struct Neighbors {
    typealias Element = (link: Link, end: Link.End)

    /// What is passed on to all of them.
    var resolution = Resolution.completed
    private var first: Element?
    /// The others, the next one last.
    private var rest: [Element] = []

    init() {}

    /// Collects them: `visit` calls its argument with one after the other.
    @inline(__always)
    init(_ resolution: Resolution, _ visit: (_ add: (Link, Link.End) -> Void) -> Void) {
      visit { if first == nil { first = ($0, $1) } else { rest.append(($0, $1)) } }
      rest.reverse()
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
    /// as dispatched.
    case dispatch(Resolution)
    /// The scope around has to be opened first (O1).
    case open
    case drop
  }

  /// The effect of the report that handlers have been dispatched.
  enum Progress: ~Copyable {
    /// Others have been added meanwhile: take them (`takeLate`), dispatch them and report again, all within one turn of
    /// the lock.
    case late
    /// Wake the threads that wait for the handler without a node, then report again.
    case wakeSlot
    /// It is over, and perhaps something follows.
    case over(Ending?)
  }
}
