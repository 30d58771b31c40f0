// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Says that something hadn't ended in the time that it was given, and names it.
///
/// It is what ``CancellableWork/drain(within:)`` throws.
public struct DrainError: Error, Sendable, CustomStringConvertible {
  /// One thing that hadn't ended.
  public struct Remaining: Sendable, CustomStringConvertible {
    /// What hadn't ended of it.
    public enum Kind: Hashable, Sendable {
      /// It is undecided: nobody has completed or cancelled it.
      case pending
      /// It is decided, but its work or a handler still runs.
      case ending
      /// An ``Activity`` of it, or an asynchronous handler.
      case activity(String)
    }

    /// What hadn't ended.
    public let kind: Kind
    /// What the work is called: its label or, without one, the place where it was made.
    public let label: String
    /// The file in which the work was made or, of an activity, in which that was begun, as `#fileID` gives it.
    public let fileID: String
    /// The line there.
    public let line: UInt
    /// How long ago it was added to the scope, or the activity was begun; nil of what was drained itself, and of a scope
    /// inside.
    public let age: Duration?
    /// Why it is, or was to be, cancelled; nil if nobody has asked for that.
    public let cancellationReason: (any Error)?
    /// What the futures are called through which the cancellation came that it doesn't follow, the last one being the one
    /// that it is linked to; as ``CancellableWork/cancellationPath`` gives it.
    public let cancellationPath: [String]

    /// One line, for people.
    public var description: String {
      let what =
        switch kind {
        case .pending: "\(label) is pending"
        case .ending: "\(label) still runs"
        case .activity(let activity): "\(activity) of \(label) still runs"
        }
      let ago = age.map { " after \($0.text)" } ?? ""
      let site = "\(fileID):\(line)"
      let place = label.hasSuffix(site) ? "" : ", \(isActivity ? "begun" : "made") at \(site)"
      let reason = cancellationReason.map {
        ", cancelled (\(CancellationTrace.text($0, along: cancellationPath, from: nil)))"
      }
      return what + ago + place + (reason ?? "")
    }

    private var isActivity: Bool {
      if case .activity = kind { true } else { false }
    }
  }

  /// What was drained: the label of the scope or token or, without one, the place where it was made.
  public let label: String
  /// How long it was given.
  public let interval: Duration
  /// What hadn't ended: first what was in the scope itself, what is in scopes inside last; at least one.
  public let remaining: [Remaining]

  /// A line for the whole and, below it, one for each of what remains, for people; of many it tells the first ones.
  public var description: String {
    let number = remaining.count
    let head = "\(label) hasn't ended after \(interval.text): \(number) thing\(number == 1 ? " remains" : "s remain")"
    let lines = remaining.prefix(Self.limit).map { "\n  \($0)" }
    return head + lines.joined() + (number > Self.limit ? "\n  and \(number - Self.limit) more" : "")
  }

  /// How many a description tells.
  private static let limit = 20
}

// MARK: - Finding what remains

extension DrainError {
  init(_ future: Future, interval: Duration) {
    let now = ContinuousClock.now
    label = future.name
    self.interval = interval
    // A work list, as scopes may be inside of scopes at any depth; one may be found in two ways.
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
        let age = now - entry.since
        if let label = entry.label {
          found.append(Remaining(.activity(label), of: Work(future: work.future, age: age, site: entry.site)))
        } else if let member = entry.member, known.insert(ObjectIdentifier(member)).inserted {
          works.append(Work(future: member, age: age, scope: work.future))
        }
      }
      for inner in open?.inside ?? [] where known.insert(ObjectIdentifier(inner)).inserted {
        works.append(Work(future: inner))
      }
    }
    remaining = found.isEmpty ? [Remaining(future.isPending ? .pending : .ending, of: Work(future: future))] : found
  }

  /// Something of which there may be something left.
  fileprivate struct Work {
    let future: Future
    var age: Duration?
    /// The scope that it was added to.
    var scope: Future?
    /// Where that was begun which is left, if not where the future was made.
    var site: CreationSite?

    /// What hasn't ended besides what stands in its table; nil: nothing.
    func openKind(besides count: Int) -> Remaining.Kind? {
      if future.process({ $0.isOpen(besides: count) }) { return .ending }
      // A scope may be undecided for ever, unless it was added like other work.
      return future.isPending && (future.openWork?.isScope != true || scope != nil) ? .pending : nil
    }

    /// Why the future was cancelled, or is to be because of the scope, and along which path.
    var cancellation: (reason: (any Error)?, path: [String]) {
      if future.isCancelled { return (future.cancellationReason, future.cancellationPath) }
      guard let scope, scope.isCancelled, future.isPending else { return (nil, []) }
      return (scope.cancellationReason, scope.cancellationPath + [scope.name])
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
    (cancellationReason, cancellationPath) = work.cancellation
  }
}
