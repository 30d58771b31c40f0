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
      /// It is undecided: neither completed nor cancelled.
      case pending
      /// It is decided, but its work or a handler still runs.
      case ending
      /// An ``Activity`` of it, or an asynchronous handler.
      case activity(String)
      /// A scope in which only scopes are open that wait for it in turn: they were added to each other.
      case cycle
    }

    /// The part that hadn't ended.
    public let kind: Kind
    /// The name of the work: its label or, without one, the place where it was created.
    public let label: String
    /// The file in which the work was created or the activity begun, in the form of `#fileID`.
    public let fileID: String
    /// The line in that file.
    public let line: UInt
    /// The time since it was added to the scope, or since the activity was begun; nil for the drained work itself, and
    /// for a nested scope.
    ///
    /// Measured by the clock that timers follow: under manual control, and where every order is explored, it is virtual.
    public let age: Duration?
    /// The reason for which it is, or was to be, cancelled; nil if no cancellation was requested.
    public let cancellationReason: (any Error)?
    /// The names of the futures through which its cancellation came, ending with the one that it is linked to, in the
    /// form of ``CancellableWork/cancellationPath``.
    public let cancellationPath: [String]
    /// The place in the source where its cancellation began, in the form of ``CancellableWork/cancellationSite``.
    public var cancellationSite: String? { cancelledAt.map { "\($0)" } }
    private let cancelledAt: CreationSite?

    /// One line, meant for people to read.
    public var description: String {
      let what =
        switch kind {
        case .pending: "\(label) is pending"
        case .ending: "\(label) still runs"
        case .activity(let activity): "\(activity) of \(label) still runs"
        case .cycle: "\(label) waits for scopes that wait for it"
        }
      let ago = age.map { " after \($0.text)" } ?? ""
      let site = "\(fileID):\(line)"
      let place = label.hasSuffix(site) ? "" : ", \(isActivity ? "begun" : "made") at \(site)"
      let reason = cancellationReason.map {
        ", cancelled (\(CancellationTrace.text($0, along: cancellationPath, from: cancelledAt)))"
      }
      return what + ago + place + (reason ?? "")
    }

    private var isActivity: Bool {
      if case .activity = kind { true } else { false }
    }
  }

  /// The name of the drained work: the label of the scope or token or, without one, the place where it was created.
  public let label: String
  /// The timeout of the wait.
  public let interval: Duration
  /// The work that hadn't ended, the members of the scope itself first and those of nested scopes last; never empty.
  public let remaining: [Remaining]

  /// A line for the whole and, below it, one for each remaining piece of work, meant for people to read; of many only
  /// the first ones.
  public var description: String {
    let number = remaining.count
    let head = "\(label) hasn't ended after \(interval.text): \(number) thing\(number == 1 ? " remains" : "s remain")"
    let lines = remaining.prefix(Self.limit).map { "\n  \($0)" }
    return head + lines.joined() + (number > Self.limit ? "\n  and \(number - Self.limit) more" : "")
  }

  /// The largest number of pieces in a description.
  private static let limit = 20
}

// MARK: - Finding what remains

extension DrainError {
  init(_ future: Future, interval: Duration) {
    label = future.name
    self.interval = interval
    // A work list, as scopes may be nested at any depth; one may be found in two ways.
    var works = [Work(future: future)]
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(future)]
    var found: [Remaining] = []
    var index = 0
    while index < works.count {
      let work = works[index]
      index += 1
      let open = work.future.openWork
      let entries = open?.entries ?? []
      if let kind = work.openKind(besides: entries.count) { found.append(Remaining(kind, of: work)) }
      for entry in entries {
        let age = work.future.presentInstant - entry.since
        if let label = entry.label {
          found.append(Remaining(.activity(label), of: Work(future: work.future, age: age, site: entry.site)))
        } else if let member = entry.member, known.insert(ObjectIdentifier(member)).inserted {
          works.append(Work(future: member, age: age, scope: work.future))
        }
      }
      for inner in (open?.inside ?? []).compactMap(\.future) where known.insert(ObjectIdentifier(inner)).inserted {
        works.append(Work(future: inner))
      }
    }
    if found.isEmpty {
      found = works.filter { $0.isOpen }.map { Remaining(.cycle, of: $0) }
    }
    remaining = found.isEmpty ? [Remaining(future.isPending ? .pending : .ending, of: Work(future: future))] : found
  }

  /// A piece of work that may not have ended.
  fileprivate struct Work {
    let future: Future
    var age: Duration?
    /// The scope that it was added to.
    var scope: Future?
    /// The place where the remaining activity began, if that isn't where the future was created.
    var site: CreationSite?

    /// True if it is decided and hasn't ended.
    var isOpen: Bool { future.process { $0.isOpen(besides: 0) } }

    /// The part that hasn't ended besides the entries in its table; nil if there is none.
    func openKind(besides count: Int) -> Remaining.Kind? {
      if future.process({ $0.isOpen(besides: count) }) { return .ending }
      // A scope may be undecided forever, unless it was added like other work.
      return future.isPending && (future.openWork?.isScope != true || scope != nil) ? .pending : nil
    }

    /// The reason for which the future was cancelled, or is to be because of the scope, the path and the place.
    var cancellation: (reason: (any Error)?, path: [String], site: CreationSite?) {
      if future.isCancelled { return (future.cancellationReason, future.cancellationPath, future.cancelledAt) }
      guard let scope, scope.isCancelled, future.isPending else { return (nil, [], nil) }
      return (scope.cancellationReason, scope.cancellationPath + [scope.name], scope.cancelledAt)
    }
  }
}

extension DrainError.Remaining {
  fileprivate init(_ kind: Kind, of work: DrainError.Work) {
    let site = work.site ?? work.future.site
    self.kind = kind
    label = work.future.name
    fileID = site.fileID
    line = UInt(site.line)
    age = work.age
    (cancellationReason, cancellationPath, cancelledAt) = work.cancellation
  }
}
