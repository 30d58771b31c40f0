// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation that came through links: its reason, the first futures it passed and, if recorded, the place where it
/// began.
///
/// Each of the first futures that pass it on creates a new one, for all futures linked to it; from then on all have the
/// same one. It has the names of the futures, so it keeps none of them, and a chain of 100,000 doesn't carry 100,000 names
/// to its end (laws L7, L10).
final class CancellationTrace: Sendable {
  /// The largest number of names in a path.
  private static let limit = 3

  /// The reason for which the first future was cancelled.
  let reason: any Error
  /// The place where it was cancelled, if recorded.
  let site: CreationSite?
  /// The names of the first futures, from the one where it began: one more than a path has, if there are more.
  private let names: [FutureName]

  /// Creates the trace of a cancellation by a call, which hasn't come through a link yet.
  init(_ reason: any Error, at site: CreationSite? = nil, names: [FutureName] = []) {
    self.reason = reason
    self.site = site
    self.names = names
  }

  /// The trace after one more future passes it on.
  func passedOn(by name: FutureName) -> CancellationTrace {
    names.count > Self.limit ? self : CancellationTrace(reason, at: site, names: names + [name])
  }

  /// The names of the futures, from the one where it began.
  var path: [String] {
    names.prefix(Self.limit).map(\.plain) + (names.count > Self.limit ? ["…"] : [])
  }
}

extension CancellationTrace: CustomStringConvertible {
  /// The reason, the path and the place.
  var description: String { Self.text(reason, along: path, from: site) }

  /// Returns a text with a reason, its path and its place.
  static func text(_ reason: any Error, along path: [String], from site: CreationSite?) -> String {
    let through = path.isEmpty ? "" : ", through \(path.joined(separator: " → "))"
    return "\(reason)\(through)\(site.map { ", cancelled at \($0)" } ?? "")"
  }
}
