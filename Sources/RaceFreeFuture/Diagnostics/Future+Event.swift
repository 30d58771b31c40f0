// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Future {
  /// An event in the life of a future, as reported to ``observer``.
  public struct Event: Sendable {
    /// The kind of the event.
    public enum Kind: Sendable {
      /// The future was created.
      case created
      /// It was completed; for a value future, with a value.
      case completed
      /// It was completed with an error; value futures only.
      case failed(any Error)
      /// It was cancelled, for this reason; ``Future/Event/path`` has the path of the cancellation.
      case cancelled(any Error)
      /// It was released while it was pending: it can no longer be resolved.
      case abandoned
      /// An error reached it after its outcome, such as a failure of cancelled work; value futures only.
      ///
      /// As a rule such an error is reported nowhere else. One that another future passed on, at the very moment when
      /// this one was decided, has also been reported as the failure of the other one. One for which `tryComplete`
      /// returned false isn't reported: the caller has it.
      case failedTooLate(any Error)
      /// A handler, or a ``CancellableWork/perform(_:)`` block, has returned after more than ``slowHandlerThreshold``.
      case slowHandler(Duration)
    }

    /// The kind of the event.
    public let kind: Kind
    /// The identity of the future while it exists; a later one may have the same.
    public let id: ObjectIdentifier
    /// The future's label, if it has one.
    public let label: String?
    /// The names of the futures through which a cancellation came; see ``CancellableWork/cancellationPath``.
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

    /// The file in which the future was created, in the form of `#fileID`.
    public var fileID: String { site.fileID }
    /// The line on which it was created.
    public var line: UInt { UInt(site.line) }
    /// The place in the source where it was cancelled; see ``CancellableWork/cancellationSite``.
    public var cancellationSite: String? { origin.map { "\($0)" } }
  }
}

extension Future.Event: CustomStringConvertible {
  /// The future's label or the place where it was created, and the event, in one line for a log.
  ///
  /// Meant for people to read; the format may change.
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
