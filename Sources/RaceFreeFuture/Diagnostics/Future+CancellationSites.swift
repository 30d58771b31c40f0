// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension Future {
  /// Whether it is recorded where in the source futures are cancelled: false, unless changed.
  ///
  /// Then ``CancellableWork/cancellationSite`` tells the place, also that of a cancellation that came by links. Set it at
  /// the start of the program, where somebody looks for whoever cancels. It takes effect at once on this thread and soon
  /// on others, for the calls that come after. Off, it costs one load where a future is cancelled; on, an allocation as
  /// well. Callable from any thread; never blocks.
  public static var recordsCancellationSites: Bool {
    get { CancellationSites.areRecorded }
    set { CancellationSites.areRecorded = newValue }
  }
}
