// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation that came through links: why, which futures it passed and, where that is recorded, at which place it
/// began.
///
/// Each future that hands it on makes a new one, for all that are linked to it. It knows the futures by what they are
/// called, so it keeps none of them, and of many it knows the first and the last three only: a chain of 100,000 doesn't
/// carry 100,000 names to its end (laws L7, L10). They stand in the object itself, because a line of futures makes one
/// for each.
final class CancellationTrace: Sendable {
  /// Up to three names, in order.
  private struct Names {
    var first: FutureName?
    var second: FutureName?
    var third: FutureName?

    var isFull: Bool { third != nil }
    var all: [FutureName] { [first, second, third].compactMap(\.self) }

    mutating func append(_ name: FutureName) {
      if first == nil { first = name } else if second == nil { second = name } else { third = name }
    }
  }

  /// What the first future was cancelled for.
  private let origin: any Error
  /// Where it was cancelled, if that was recorded.
  let site: CreationSite?
  /// The names from the beginning.
  private let first: Names
  /// The names from the end.
  private let last: Names
  /// How many were left out between the two.
  private let gap: Int

  private init(_ origin: any Error, at site: CreationSite?, _ first: Names, gap: Int, _ last: Names) {
    self.origin = origin
    self.site = site
    self.first = first
    self.gap = gap
    self.last = last
  }

  /// A cancellation that a future hands on, which was cancelled by a call of its own.
  convenience init(_ reason: any Error, by future: Future) {
    self.init(reason, at: nil, Names(first: FutureName(future)), gap: 0, Names())
  }

  /// A cancellation by a call at a known place, which has come through no link yet.
  convenience init(_ reason: any Error, at site: CreationSite) {
    self.init(reason, at: site, Names(), gap: 0, Names())
  }

  /// The same when one more future hands it on.
  func handedOn(by future: Future) -> CancellationTrace {
    let name = FutureName(future)
    var (first, last) = (first, last)
    if !first.isFull {
      first.append(name)
    } else if !last.isFull {
      last.append(name)
    } else {
      last = Names(first: last.second, second: last.third, third: name)
      return CancellationTrace(origin, at: site, first, gap: gap + 1, last)
    }
    return CancellationTrace(origin, at: site, first, gap: gap, last)
  }

  /// What the futures are called, beginning with the one where it began.
  var path: [String] {
    let gap = gap > 0 ? ["\(gap) more"] : []
    return first.all.map(\.plain) + gap + last.all.map(\.plain)
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

extension CancellationTrace: CustomStringConvertible {
  /// The reason, the path and the place.
  var description: String { Self.text(reason, along: path, from: site) }

  /// A reason, the path that it took, unless it tells that itself, and where it was given.
  static func text(_ reason: any Error, along path: [String], from site: CreationSite?) -> String {
    let tellsPath = path.isEmpty || reason is TimeoutError || reason is AbandonedError
    let through = tellsPath ? "" : ", through \(path.joined(separator: " → "))"
    return "\(reason)\(through)\(site.map { ", cancelled at \($0)" } ?? "")"
  }
}
