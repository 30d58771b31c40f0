// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Where in the source futures are cancelled, as long as somebody wants to know.
///
/// A site travels as the beginning of a `CancellationTrace`, so nobody pays for it who doesn't ask.
enum CancellationSites {
  /// Relaxed: it guards nothing; another thread may see a change a little later.
  private static let flag = Atomic(false)

  static var areRecorded: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }

  /// The place of a call, if it is to be recorded.
  static func site(_ fileID: StaticString, _ line: UInt) -> CreationSite? {
    areRecorded ? userSite(fileID, line) : nil
  }

  /// The place of a call, unless it is the library's own, on somebody else's behalf.
  @inline(never)
  private static func userSite(_ fileID: StaticString, _ line: UInt) -> CreationSite? {
    let site = CreationSite(fileID, line)
    let isOwn = ["RaceFreeFuture/", "RaceFreeFutureFoundation/"].contains { site.fileID.hasPrefix($0) }
    return isOwn ? nil : site
  }
}

extension Resolution {
  /// A cancellation that began at a place, if that was recorded.
  static func cancelled(_ reason: any Error, at site: CreationSite?) -> Resolution {
    guard let site else { return .cancelled(reason) }
    return .cascaded(CancellationTrace(reason, at: site))
  }
}
