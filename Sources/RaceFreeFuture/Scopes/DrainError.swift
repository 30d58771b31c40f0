// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that names work that hadn't ended within its timeout.
///
/// It is thrown by ``CancellableWork/drain(within:)``.
public struct DrainError: Error, Sendable, CustomStringConvertible {
  /// One piece of work that hadn't ended.
  public struct Remaining: Sendable, CustomStringConvertible {
    /// The part of the work that hadn't ended.
    public enum Kind: Hashable, Sendable {
      /// It hasn't begun: it waits for a place in a scope with a limit.
      case waiting
      /// It is undecided: neither completed nor cancelled.
      case pending
      /// It is decided, but its work or a handler still runs.
      case ending
      /// An ``Activity`` of it, or an asynchronous handler.
      case activity(String)
      /// It waits for what waits for it: work that waits for its own scope, or scopes that were added to each other.
      case cycle
      /// Nothing but the contents is open: a scope, or work with an activity. Only a ``WorkTree`` has it.
      case open
    }

    /// The part that hadn't ended.
    public let kind: Kind
    /// The label of the work, and the place where it was created or, for an activity, where that was begun.
    public let origin: Origin
    /// The time since it was added to the scope, or since the activity was begun; nil for the drained work itself, and
    /// for a nested scope.
    ///
    /// Measured by the clock that timers follow: under manual control, and where every order is explored, it is
    /// virtual.
    public let age: Duration?
    /// The cancellation that has reached it, or is to; nil if none was requested.
    public let cancellation: Cancellation?
    /// The name of the work, which isn't the place of its activity.
    private let name: String
    /// The name of what it waits for in a cycle, if that is known.
    private let awaited: String?

    /// One line, meant for people to read.
    public var description: String {
      let what =
        switch kind {
        case .waiting: "\(name) waits for a place"
        case .pending: "\(name) is pending"
        case .ending: "\(name) still runs"
        case .activity(let activity): "\(activity) of \(name) still runs"
        case .open: "\(name) is open"
        case .cycle: "\(name) waits for \(awaited.map { "\($0), which waits" } ?? "scopes that wait") for it"
        }
      let ago = age.map { " after \($0.rounded)" } ?? ""
      let place = name.hasSuffix(origin.place) ? "" : ", \(isActivity ? "begun" : "made") at \(origin.place)"
      let reason = cancellation.map { ", cancelled (\($0))" }
      return (what + ago + place + (reason ?? "")).inOneLine
    }

    var isActivity: Bool {
      if case .activity = kind { true } else { false }
    }
  }

  /// The label of the drained work, and the place where it was created.
  public let origin: Origin
  /// The timeout of the wait.
  public let interval: Duration
  /// The time that the wait took: longer on a busy machine, and shorter if it was ended early.
  let elapsed: Duration
  /// True if the work that waits is part of what it waits for.
  let isOfCaller: Bool
  /// The work that hadn't ended, the scope's own members first and nested scopes' last; never empty.
  public let remaining: [Remaining]

  /// A line for the whole and, below it, one for each remaining piece of work, meant for people to read; of many only
  /// the first ones.
  public var description: String {
    let number = remaining.count
    let limit = elapsed.rounded == interval ? "" : " (limit: \(interval))"
    let what = isOfCaller ? "can't end while its own work waits" : "hasn't ended after \(elapsed.rounded)\(limit)"
    let head = "\(origin) \(what): \(number) thing\(number == 1 ? " remains" : "s remain")"
    let lines = remaining.prefix(Self.limit).map { "\n  \($0)" }
    return head + lines.joined() + (number > Self.limit ? "\n  and \(number - Self.limit) more" : "")
  }

  /// The largest number of pieces in a description.
  private static let limit = 20
}

// MARK: - Finding what remains

extension DrainError {
  /// Creates the error of a wait that began at an instant, or would have.
  ///
  /// - Parameters:
  ///   - future: What was waited for.
  ///   - interval: The timeout.
  ///   - start: The instant at which the wait began.
  ///   - caller: The work that waits, if that is known.
  init(_ future: Future, interval: Duration, since start: ContinuousClock.Instant, by caller: Future? = nil) {
    origin = future.origin
    self.interval = interval
    elapsed = interval > .zero ? max(.zero, start.duration(to: future.presentInstant)) : .zero
    let all = Self.search(future)
    let works = all.map(\.work)
    let byDepth = all.enumerated().sorted { ($0.element.work.depth, $0.offset) < ($1.element.work.depth, $1.offset) }
    var found = byDepth.flatMap(\.element.remaining)
    let waiting = works.first { $0.future === caller }
    isOfCaller = waiting != nil
    if let waiting {
      found = [Remaining(.cycle, of: waiting, awaiting: future.name)]
    } else if found.isEmpty {
      found = works.filter { $0.isOpen }.map { Remaining(.cycle, of: $0) }
    }
    remaining = found.isEmpty ? [Remaining(future.isPending ? .pending : .ending, of: Work(future: future))] : found
  }

  /// Finds what is open: each piece of work above what is inside it, with what remains of its own.
  static func search(_ future: Future) -> [(work: Work, remaining: [Remaining])] {
    // A work list, as scopes may be nested at any depth; one may be found in two ways.
    var ahead = [Work(future: future)]
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(future)]
    var found: [(work: Work, remaining: [Remaining])] = []
    while let work = ahead.popLast() {
      let open = work.future.openWork
      let entries = open?.entries ?? []
      var remaining = work.openKind(besides: entries.count).map { [Remaining($0, of: work)] } ?? []
      var inside: [Work] = []
      for entry in entries {
        let age = work.future.presentInstant - entry.since
        if let label = entry.label {
          remaining.append(Remaining(.activity(label), of: Work(future: work.future, age: age, site: entry.site)))
        } else if let member = entry.member, known.insert(ObjectIdentifier(member)).inserted {
          inside.append(Work(future: member, depth: work.depth + 1, age: age, scope: work.future))
        }
      }
      for inner in (open?.inside ?? []).compactMap(\.future) where !inner.isDrained {
        if known.insert(ObjectIdentifier(inner)).inserted { inside.append(Work(future: inner, depth: work.depth + 1)) }
      }
      found.append((work, remaining))
      ahead += inside.reversed()
    }
    return found
  }

  /// A piece of work that may not have ended.
  struct Work {
    let future: Future
    var depth = 0
    var age: Duration?
    /// The scope that it was added to.
    var scope: Future?
    /// The place where the remaining activity began, if that isn't where the future was created.
    var site: CreationSite?

    /// True if it is decided and hasn't ended.
    var isOpen: Bool { future.process { $0.isOpen(besides: 0) } }

    /// The part that hasn't ended besides the entries in its table; nil if there is none.
    func openKind(besides count: Int) -> Remaining.Kind? {
      if let placed = future as? PlacedFuture, placed.isWaiting { return .waiting }
      if future.process({ $0.isOpen(besides: count) }) { return .ending }
      // A scope may be undecided forever, unless it was added like other work.
      return future.isPending && (scope != nil || !future.process { $0.nesting[.isScope] }) ? .pending : nil
    }

    /// The cancellation that has reached it, or is to because of the scope.
    var cancellation: Cancellation? {
      if let cancellation = future.cancellation { return cancellation }
      guard future.isPending, let scope else { return nil }
      return scope.resolution?.passedOn(by: scope).cancellation
    }
  }
}

extension DrainError.Remaining {
  init(_ kind: Kind, of work: DrainError.Work, awaiting awaited: String? = nil) {
    self.kind = kind
    self.awaited = awaited
    origin = Origin(label: work.future.label, site: work.site ?? work.future.site)
    name = work.future.name
    age = work.age
    cancellation = work.cancellation
  }
}

extension Duration {
  /// The duration in whole milliseconds, for a text with a time that was measured.
  fileprivate var rounded: Duration { .milliseconds((self / .milliseconds(1)).rounded()) }
}
