// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The recording of the places in the source where futures are cancelled.
///
/// A site is the beginning of a `CancellationTrace`, so it costs nothing when it isn't recorded.
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

  /// The place of a call, unless it is a call by the library on behalf of other code.
  @inline(never)
  private static func userSite(_ fileID: StaticString, _ line: UInt) -> CreationSite? {
    let site = CreationSite(fileID, line)
    let isOwn = ["RaceFreeFuture/", "RaceFreeFutureFoundation/"].contains { site.fileID.hasPrefix($0) }
    return isOwn ? nil : site
  }
}
