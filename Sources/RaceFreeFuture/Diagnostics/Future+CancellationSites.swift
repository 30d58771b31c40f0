// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension Future {
  /// A Boolean value that indicates whether the places in the source where futures are cancelled are recorded; by
  /// default false.
  ///
  /// If it is true, ``Cancellation/place`` has the place, also for a cancellation that came through
  /// links. Set it at the start of the program, to find the code that cancels. It takes effect at once on this thread
  /// and soon on others, for later calls. If it is false, a cancellation costs one more load; if true, also an
  /// allocation. It can be used from any thread and never blocks.
  public static var recordsCancellationSites: Bool {
    get { CancellationSites.areRecorded }
    set { CancellationSites.areRecorded = newValue }
  }
}
