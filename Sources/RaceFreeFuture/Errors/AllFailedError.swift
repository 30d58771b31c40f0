// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that none of several futures brought a value, with the error of each.
///
/// ``ValueFuture/any(_:cancelLosers:label:fileID:line:)`` fails with it.
public struct AllFailedError: Error, Sendable, CustomStringConvertible {
  private let list: List

  /// Creates an error from several, in the order of the futures.
  init(errors: [any Error]) { list = List(errors) }

  /// An error for each of the futures, in their order: the error of its failure, or the reason of its cancellation.
  public var errors: [any Error] { list.errors }

  /// One sentence, meant for people to read; of many errors it has the first ones, and of nested ones the number.
  public var description: String {
    let texts = errors.prefix(Self.limit).map { ($0 as? AllFailedError)?.summary ?? "\($0)" }
    let rest = errors.count > Self.limit ? ["\(errors.count - Self.limit) more"] : []
    return "\(summary): \((texts + rest).joined(separator: "; "))"
  }

  /// The largest number of errors in a description.
  private static let limit = 6

  private var summary: String { "all of \(errors.count) failed" }

  /// The errors, in an object that releases nested errors of any depth by a loop.
  ///
  /// `@unchecked Sendable`: it changes only in `deinit`, where nothing else references it.
  private final class List: @unchecked Sendable {
    private(set) var errors: [any Error]

    init(_ errors: [any Error]) { self.errors = errors }

    deinit {
      // Most contain no others.
      guard errors.contains(where: { $0 is AllFailedError }) else { return }
      var waiting = exchange(&errors, with: [])
      while !waiting.isEmpty {
        // The error itself is released before its list is checked for other references.
        guard var list = (waiting.removeLast() as? AllFailedError)?.list else { continue }
        if isKnownUniquelyReferenced(&list) { waiting += exchange(&list.errors, with: []) }
      }
    }
  }
}
