// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension CancellableWork {
  /// The label of the future, if it was given one.
  public var label: String? { cancelToken.future.label }

  /// The names of the futures through which the cancellation came: first the one with which it began, last the one that
  /// is linked to this one.
  ///
  /// Empty unless the future was cancelled through links: those of ``Future/init(linkedTo:_:label:fileID:line:)``,
  /// ``cascadeCancellation(to:)``, ``Future/passControl(to:)`` and of futures that were made from others. Each is
  /// called by its label or by the place where it was made. Of a path of more than six the ones in the middle are left
  /// out, and counted. For people; the form of the names may change.
  public var cancellationPath: [String] {
    guard case .cascaded(let cascade)? = cancelToken.future.resolution else { return [] }
    return cascade.path
  }

  /// The place in the source where the cancellation began, as `App/Loader.swift:31`: that of the call which cancelled this
  /// future or the first of ``cancellationPath``, or set the deadline that did.
  ///
  /// Nil unless the future was cancelled while ``Future/recordsCancellationSites`` was on; and for cancellations that
  /// no call of the program asked for, such as that by a task. For people; its form may change.
  public var cancellationSite: String? {
    guard case .cascaded(let trace)? = cancelToken.future.resolution else { return nil }
    return trace.site.map { "\($0)" }
  }
}
