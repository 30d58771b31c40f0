// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

extension URL {
  /// The name of a transfer in descriptions and errors: the URL without user, password, query and fragment, which may
  /// be secret.
  ///
  /// The scheme alone if the URL holds the data itself. Nil if the URL can't be taken apart.
  var name: String? {
    if scheme?.lowercased() == "data" { return "data:" }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string
  }
}
