// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Say where a cancellation came from

extension Future {
  /// What the futures are called through which the cancellation of this one came: first the one with which it began,
  /// last the one that is linked to this one.
  ///
  /// Empty unless the future was cancelled through links: those of ``init(linkedTo:_:label:fileID:line:)-(Future,_,_,_,_)``,
  /// ``cascadeCancellation(to:)``, ``passControl(to:)`` and of futures that were made from others. Each is called by its
  /// label or by the place where it was made. Of a path of more than six the ones in the middle are left out, and
  /// counted. Callable from any thread; never blocks. For people; the form of the names may change.
  public var cancellationPath: [String] {
    guard case .cascaded(let cascade)? = resolution else { return [] }
    return cascade.path
  }
}

extension CancelToken {
  /// What the futures are called through which the cancellation came; see ``Future/cancellationPath``.
  public var cancellationPath: [String] { future.cancellationPath }
}
