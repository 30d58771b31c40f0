// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Work that completes or is cancelled: the interface common to futures, tokens, operations and the like.
///
/// Everything with a ``cancelToken`` can be cancelled, observed, inspected, waited for and linked. All of that is
/// declared here, once; *completing* is declared by ``Future``, ``ValueFuture`` and their completers. Where the library
/// takes one kind of work it takes all kinds, mixed.
///
/// Conform a type of your own by returning its token:
///
/// ```swift
/// final class Upload: CancellableWork {
///   private let future = Future(label: "upload")
///   var cancelToken: CancelToken { future.cancelToken }
/// }
///
/// let upload = Upload()
/// upload.onCancel { print("stopped") }
/// upload.cancel(after: .seconds(30))
/// ```
///
/// "The future" in each description is the token's. All methods can be called from any thread and inside all handlers,
/// and none blocks, unless its description says so.
///
/// A member that a type declares itself takes precedence over its namesake here: the `value` of a
/// ``ValueFuture`` is its value. In a function that takes `some CancellableWork`, the members declared here are used.
public protocol CancellableWork: Sendable {
  /// The token of the future that has the outcome of the work: always the same one.
  var cancelToken: CancelToken { get }
}
