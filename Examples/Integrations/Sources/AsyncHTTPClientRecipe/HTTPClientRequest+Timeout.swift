// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file, and TimeoutHeader.swift.

public import AsyncHTTPClient
internal import NIOHTTP1
public import RaceFreeFuture
internal import TimeoutHeaderRecipe

extension HTTPClientRequest {
  /// Tells the server how much time some work has left, in a header.
  ///
  /// Without a deadline there is no header. Set it right before the request is sent, and for each attempt anew.
  ///
  /// - Parameter work: The work, such as a token.
  public mutating func setTimeout(of work: some CancellableWork) {
    headers.remove(name: TimeoutHeader.name)
    if let timeout = TimeoutHeader.text(for: work) { headers.add(name: TimeoutHeader.name, value: timeout) }
  }
}
