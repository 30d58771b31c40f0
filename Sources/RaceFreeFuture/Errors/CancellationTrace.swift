// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation that came through links: its reason, the futures it passed and, if recorded, the place where it
/// began.
///
/// Each future that passes it on creates a new one, for all futures linked to it. It has the names of the futures, so
/// it keeps none of them, and of many it has only the first and the last three: a chain of 100,000 doesn't carry
/// 100,000 names to its end (laws L7, L10). They are stored in the object itself, because a chain of futures creates
/// one for each.
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

  /// The reason for which the first future was cancelled.
  private let origin: any Error
  /// The place where it was cancelled, if recorded.
  let site: CreationSite?
  /// The trace with the first names, which all that are longer share; nil as long as these are all.
  private let start: CancellationTrace?
  /// The names from the end.
  private let last: Names
  /// The number of names left out between `start` and these: last and small, so that the object has no more than the
  /// 120 bytes for which the C library has a fast place.
  private let gap: UInt32

  private init(_ origin: any Error, at site: CreationSite?, _ start: CancellationTrace?, gap: UInt32, _ last: Names) {
    self.origin = origin
    self.site = site
    self.start = start
    self.gap = gap
    self.last = last
  }

  /// Creates the trace passed on by a future that was cancelled by a call of its own.
  convenience init(_ reason: any Error, by future: FutureName) {
    self.init(reason, at: nil, nil, gap: 0, Names(first: future))
  }

  /// Creates the trace of a cancellation by a call at a known place, which hasn't come through a link yet.
  convenience init(_ reason: any Error, at site: CreationSite) {
    self.init(reason, at: site, nil, gap: 0, Names())
  }

  /// The trace after one more future passes it on.
  func passedOn(by name: FutureName) -> CancellationTrace {
    var last = last
    guard last.isFull else {
      last.append(name)
      return CancellationTrace(origin, at: site, start, gap: gap, last)
    }
    guard let start else { return CancellationTrace(origin, at: site, self, gap: 0, Names(first: name)) }
    last = Names(first: last.second, second: last.third, third: name)
    return CancellationTrace(origin, at: site, start, gap: gap + 1, last)
  }

  /// The names of the futures, from the one where it began.
  var path: [String] {
    (start?.path ?? []) + (gap > 0 ? ["\(gap) more"] : []) + last.all.map(\.plain)
  }

  /// The reason for which the first future was cancelled; one of the library's own errors includes the path.
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

  /// Returns a text with a reason, its path, unless the reason includes that, and its place.
  static func text(_ reason: any Error, along path: [String], from site: CreationSite?) -> String {
    let tellsPath = path.isEmpty || reason is TimeoutError || reason is AbandonedError
    let through = tellsPath ? "" : ", through \(path.joined(separator: " → "))"
    return "\(reason)\(through)\(site.map { ", cancelled at \($0)" } ?? "")"
  }
}
