// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Says that none of several futures brought a value, and why each didn't.
///
/// It is how ``ValueFuture/any(_:cancelLosers:label:fileID:line:)`` fails.
public struct AllFailedError: Error, Sendable, CustomStringConvertible {
  private let list: List

  /// Creates an error out of several.
  ///
  /// - Parameter errors: In the order of the futures.
  public init(errors: [any Error]) { list = List(errors) }

  /// An error for each of the futures, in the order in which they were given: that of its failure, or the reason of its
  /// cancellation.
  public var errors: [any Error] { list.errors }

  /// One sentence, for people; of many errors it tells the first ones, and of those that are made of others the number.
  public var description: String {
    let texts = errors.prefix(Self.limit).map { ($0 as? AllFailedError)?.summary ?? "\($0)" }
    let rest = errors.count > Self.limit ? ["\(errors.count - Self.limit) more"] : []
    return "\(summary): \((texts + rest).joined(separator: "; "))"
  }

  /// How many errors a description tells.
  private static let limit = 6

  private var summary: String { "all of \(errors.count) failed" }

  /// The errors, in an object which sees to it that errors of errors of errors are released by a loop.
  ///
  /// `@unchecked Sendable`: nothing changes but in `deinit`, and there it is the last one to have it.
  private final class List: @unchecked Sendable {
    private(set) var errors: [any Error]

    init(_ errors: [any Error]) { self.errors = errors }

    deinit {
      // Most hold no others.
      guard errors.contains(where: { $0 is AllFailedError }) else { return }
      var waiting = exchange(&errors, with: [])
      while !waiting.isEmpty {
        // The error itself is gone when its list is asked who else has it.
        guard var list = (waiting.removeLast() as? AllFailedError)?.list else { continue }
        if isKnownUniquelyReferenced(&list) { waiting += exchange(&list.errors, with: []) }
      }
    }
  }
}
