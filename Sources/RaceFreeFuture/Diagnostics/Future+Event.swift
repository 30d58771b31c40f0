// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Future {
  /// Something that became of a future, as ``observer`` is told it.
  public struct Event: Sendable {
    /// What happened.
    public enum Kind: Sendable {
      /// The future was made.
      case created
      /// It was completed; a value future: with a value.
      case completed
      /// It was completed with an error; value futures only.
      case failed(any Error)
      /// It was cancelled, for this reason; how that came to it is told by ``Future/Event/path``.
      case cancelled(any Error)
      /// It was released while it was pending: nobody can resolve it any more.
      case abandoned
      /// An error reached it when it had its outcome, as when work fails that was cancelled; value futures only.
      ///
      /// As a rule nobody else sees such an error. One that another future passed on, at the very moment when this one
      /// was decided, has been told as the failure of the other one, too. One for which `tryComplete` returned false isn't
      /// told: the caller has it.
      case failedTooLate(any Error)
      /// A handler, or a ``Future/perform(_:)`` block, has returned after a time above ``slowHandlerThreshold``.
      case slowHandler(Duration)
    }

    /// What happened.
    public let kind: Kind
    /// Which future it is, as long as there is one: a later one may have the same.
    public let id: ObjectIdentifier
    /// The future's label, if it was given one.
    public let label: String?
    /// What the futures are called through which a cancellation came; see ``CancellableWork/cancellationPath``.
    public let path: [String]
    private let site: CreationSite
    private let origin: CreationSite?

    init(_ kind: Kind, _ future: Future, _ trace: CancellationTrace?) {
      self.kind = kind
      id = ObjectIdentifier(future)
      label = future.label
      path = trace?.path ?? []
      origin = trace?.site
      site = future.site
    }

    /// The file in which the future was made, as `#fileID` gives it.
    public var fileID: String { site.fileID }
    /// The line on which it was made.
    public var line: UInt { UInt(site.line) }
    /// The place in the source where it was cancelled; see ``CancellableWork/cancellationSite``.
    public var cancellationSite: String? { origin.map { "\($0)" } }
  }
}

extension Future.Event: CustomStringConvertible {
  /// The future's label or the place where it was made, and what happened, in one line for a log.
  ///
  /// For people; its form may change.
  public var description: String {
    let name = FutureName(label: label, site: site).quoted
    let text =
      switch kind {
      case .created: label == nil ? "created" : "created at \(site)"
      case .completed: "completed"
      case .failed(let error): "failed (\(error))"
      case .cancelled(let reason): "cancelled (\(CancellationTrace.text(reason, along: path, from: origin)))"
      case .abandoned: "released while pending"
      case .failedTooLate(let error): "failed too late (\(error))"
      case .slowHandler(let duration): "a handler took \(duration)"
      }
    return "Future(\(name)) \(text)"
  }
}
