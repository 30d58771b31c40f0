// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension CancellableWork {
  /// The label of the future, if it has one.
  public var label: String? { cancelToken.future.label }

  /// The names of the futures through which the cancellation came, from the one where it began to the one that is
  /// linked to this one.
  ///
  /// Empty unless the future was cancelled through links: those of ``Future/init(linkedTo:_:label:fileID:line:)``,
  /// ``cascadeCancellation(to:)``, ``Future/passControl(to:)`` and of futures that were created from others. Each name
  /// is the label or the place where the future was created. In a path of more than six futures those in the middle are
  /// replaced by their number. Meant for people to read; the format may change.
  public var cancellationPath: [String] {
    guard case .cascaded(let cascade)? = cancelToken.future.resolution else { return [] }
    return cascade.path
  }

  /// The place in the source where the cancellation began, as `App/Loader.swift:31`: the call that cancelled this
  /// future or the first one in ``cancellationPath``, or that set the deadline which did.
  ///
  /// Nil unless the future was cancelled while ``Future/recordsCancellationSites`` was on; and for cancellations that
  /// no call in the program requested, such as that by a task. Meant for people to read; the format may change.
  public var cancellationSite: String? { cancelToken.future.cancelledAt.map { "\($0)" } }
}

extension Future {
  /// The place where the cancellation began, if recorded.
  var cancelledAt: CreationSite? {
    guard case .cascaded(let trace)? = resolution else { return nil }
    return trace.site
  }
}
