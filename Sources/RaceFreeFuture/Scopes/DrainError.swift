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
    /// How long ago it was added to the scope, or the activity was begun; nil of a token that was drained itself.
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
        ", cancelled (\(CancellationTrace.text($0, along: cancellationPath)))"
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
  /// What hadn't ended, in the order in which it was added or begun; at least one.
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
    var found: [Remaining] = []
    // Scopes inside stand behind what is in this one.
    var scopes = [future]
    while !scopes.isEmpty {
      let scope = scopes.removeFirst()
      found += Remaining.all(openIn: scope, at: now)
      scopes += scope.openWork?.inside ?? []
    }
    // What has no name of its own is the future's: its handlers, or its work.
    remaining = found.isEmpty ? [Remaining(future, age: nil, of: nil)] : found
  }
}

extension DrainError.Remaining {
  /// What is open in one scope or token.
  fileprivate static func all(openIn scope: Future, at now: ContinuousClock.Instant) -> [Self] {
    let entries = scope.openWork?.entries ?? []
    let own = entries.flatMap { entry -> [Self] in
      let age = now - entry.since
      guard entry.label == nil else { return [Self(entry, of: scope, age)] }
      // One that has gone is just leaving.
      guard let member = entry.member else { return [] }
      let activities = member.openWork?.entries.filter { $0.label != nil } ?? []
      if member.isPending || activities.isEmpty { return [Self(member, age: age, of: scope)] }
      return activities.map { Self($0, of: member, now - $0.since) }
    }
    guard let open = scope.openWork, open.isScope, own.isEmpty, !scope.isPending else { return own }
    return scope.process { $0.isQuiet(needsOutcome: true) } ? own : [Self(scope, age: nil, of: nil)]
  }

  fileprivate init(_ entry: OpenWork.Entry, of future: Future, _ age: Duration) {
    kind = .activity(entry.label ?? "")
    label = future.name
    fileID = entry.site.fileID
    line = UInt(entry.site.line)
    self.age = age
    (cancellationReason, cancellationPath) = future.cancellationOnItsWay(from: nil)
  }

  fileprivate init(_ member: Future, age: Duration?, of scope: Future?) {
    kind = member.isPending ? .pending : .ending
    label = member.name
    fileID = member.site.fileID
    line = UInt(member.site.line)
    self.age = age
    (cancellationReason, cancellationPath) = member.cancellationOnItsWay(from: scope)
  }
}

extension Future {
  /// Why this future was cancelled, or is to be because of the scope that it is in, and along which path.
  fileprivate func cancellationOnItsWay(from scope: Future?) -> ((any Error)?, [String]) {
    if isCancelled { return (cancellationReason, cancellationPath) }
    guard let scope, scope.isCancelled, isPending else { return (nil, []) }
    return (scope.cancellationReason, scope.cancellationPath + [scope.name])
  }
}
