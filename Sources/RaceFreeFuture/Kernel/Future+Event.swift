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
      /// It was cancelled.
      case cancelled(Cancellation)
      /// It was released while it was pending: it can no longer be resolved.
      case abandoned
      /// An error reached it after its outcome, such as a failure of cancelled work; value futures only.
      ///
      /// As a rule such an error is reported nowhere else. One that another future passed on, at the very moment when
      /// this one was decided, has also been reported as the failure of the other one. One for which `tryComplete`
      /// returned false isn't reported: the caller has it.
      case failedTooLate(any Error)
    }

    /// The kind of the event.
    public let kind: Kind
    /// The identity of the future while it exists; a later one may have the same.
    public let id: ObjectIdentifier
    /// The label of the future, and the place where it was created.
    public let origin: Origin

    init(_ kind: Kind, _ future: Future) {
      self.kind = kind
      id = ObjectIdentifier(future)
      origin = future.origin
    }
  }
}

extension Future.Event: CustomStringConvertible {
  /// The future's label or the place where it was created, and the event, in one line for a log.
  ///
  /// Meant for people to read; the format may change.
  public var description: String {
    let name = FutureName(label: origin.label, site: origin.site).quoted
    let text =
      switch kind {
      case .created: origin.label == nil ? "created" : "created at \(origin.place)"
      case .completed: "completed"
      case .failed(let error): "failed (\(error))"
      case .cancelled(let cancellation): "cancelled (\(cancellation))"
      case .abandoned: "released while pending"
      case .failedTooLate(let error): "failed too late (\(error))"
      }
    return "Future(\(name)) \(text)".inOneLine
  }
}
