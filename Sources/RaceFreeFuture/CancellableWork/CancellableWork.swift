// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Something that completes or is cancelled: what all futures, tokens, operations and the like have in common.
///
/// Whoever has a ``cancelToken`` can be cancelled, observed, inspected, waited for and linked. All of that is declared
/// here, once; what can be *completed* is said by ``Future``, ``ValueFuture`` and their completers. Where the library
/// takes one kind of work it takes all kinds, mixed.
///
/// Give it to a type of your own by telling its token:
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
/// Each method acts on the future that the token belongs to, and "the future" in its description is that one. All are
/// callable from any thread and inside all handlers, and none blocks, except where it says so.
///
/// A member that a type declares itself goes before the one of the same name here: the `value` of a ``ValueFuture`` is
/// its value. In a function that takes `some CancellableWork`, those here are meant.
public protocol CancellableWork: Sendable {
  /// The token of the future that says what becomes of the work: always the same one.
  var cancelToken: CancelToken { get }
}
