// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation that came through links: why, and which futures it passed.
///
/// Each future that hands it on makes a new one, for all that are linked to it. It knows the futures by what they are
/// called, so it keeps none of them, and of many it knows the first and the last ones only: a chain of 100,000 doesn't
/// carry 100,000 names to its end (laws L7, L10).
final class Cascade: Sendable {
  private struct Name {
    let label: String?
    let site: CreationSite
  }

  /// How many futures are known by name: one half from the beginning, the other from the end.
  private static let limit = 6

  /// What the first future was cancelled for.
  private let origin: any Error
  private let names: [Name]
  /// How many were left out in the middle.
  private let gap: Int

  private init(_ origin: any Error, _ names: [Name], gap: Int) {
    self.origin = origin
    self.names = names
    self.gap = gap
  }

  /// A cancellation that a future hands on, which was cancelled by a call of its own.
  convenience init(_ reason: any Error, by future: Future) {
    self.init(reason, [Name(label: future.label, site: future.site)], gap: 0)
  }

  /// The same when one more future hands it on.
  func handedOn(by future: Future) -> Cascade {
    var (names, gap) = (names, gap)
    if names.count == Self.limit {
      names.remove(at: Self.limit / 2)
      gap += 1
    }
    names.append(Name(label: future.label, site: future.site))
    return Cascade(origin, names, gap: gap)
  }

  /// What the futures are called, beginning with the one where it began.
  var path: [String] {
    var path = names.map { $0.label ?? "made at \($0.site)" }
    if gap > 0 { path.insert("\(gap) more", at: Self.limit / 2) }
    return path
  }

  /// What the first future was cancelled for; one of the library's own errors says where it came along.
  var reason: any Error {
    switch origin {
    case let error as TimeoutError: error.along(path)
    case let error as AbandonedError: error.along(path)
    default: origin
    }
  }
}

extension Cascade: CustomStringConvertible {
  /// The reason and the path.
  var description: String { Self.text(reason, along: path) }

  /// A reason and the path that it took, unless it tells that itself.
  static func text(_ reason: any Error, along path: [String]) -> String {
    if path.isEmpty || reason is TimeoutError || reason is AbandonedError { return "\(reason)" }
    return "\(reason), through \(path.joined(separator: " → "))"
  }
}
