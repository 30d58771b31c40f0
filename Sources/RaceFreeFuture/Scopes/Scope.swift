// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A bag of running work of all kinds, which is cancelled together and waited for together: what a view, a connection or
/// a service has.
///
/// ```swift
/// let connection = Scope(in: server, label: "connection")
/// connection.add(upload)
/// connection.addTask { try await readLines() }
/// connection.onCancelTask { _ in await sayGoodbye() }
///
/// connection.cancel()
/// try await connection.drain(within: .seconds(5))   // or names what is stuck
/// ```
///
/// What is in it is cancelled with it, for the same reason, and leaves it by itself when it is over: decided, its handlers
/// returned, and nothing left that keeps it open (``Activity``). A scope that lives long is as small as before when
/// a million have come and gone. It is thread-safe; adding and leaving take constant time.
///
/// A scope is a future that is completed only when it is dropped with nothing in it. It can be cancelled, observed, linked, and has activities as all
/// ``CancellableWork`` has. It doesn't keep its members; they keep it, until they have left.
public final class Scope: CancellableWork {
  let future: Future
  /// Cancelled when a graceful stop begins.
  let stopFuture: Future
  private let cancelsOnDeinit: Bool

  /// Creates a scope with nothing in it.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - cancelsOnDeinit: Whether dropping the scope cancels what is in it. If not, that goes on.
  ///   - fileID: Leave it out: the file in which the scope is made.
  ///   - line: Leave it out: the line on which the scope is made.
  public convenience init(
    label: String? = nil,
    cancelsOnDeinit: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(nil, label, cancelsOnDeinit, CreationSite(fileID, line))
  }

  /// Creates a scope inside of another one: it is stopped and cancelled with it, and what is in it is in that one, too.
  ///
  /// A scope inside in which nothing is open keeps nobody waiting. Made in a cancelled scope it is born cancelled. It
  /// keeps the scope around it alive; that one doesn't keep it. While somebody waits, whatever ends in it asks each scope
  /// around it.
  ///
  /// - Parameters:
  ///   - parent: The scope around it.
  ///   - label: A name for descriptions and errors.
  ///   - cancelsOnDeinit: Whether dropping the scope cancels what is in it. If not, that goes on.
  ///   - fileID: Leave it out: the file in which the scope is made.
  ///   - line: Leave it out: the line on which the scope is made.
  public convenience init(
    in parent: Scope,
    label: String? = nil,
    cancelsOnDeinit: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(parent, label, cancelsOnDeinit, CreationSite(fileID, line))
    stopFuture.link(to: parent.stopToken)
    future.link(to: parent.cancelToken)
  }

  private init(_ parent: Scope?, _ label: String?, _ cancelsOnDeinit: Bool, _ site: CreationSite) {
    future = Future(label: label, site: site)
    stopFuture = Future(label: "stop of \(future.name)", site: site)
    self.cancelsOnDeinit = cancelsOnDeinit
    let outside = parent?.future
    // Before it is linked, so that it is found by whoever asks the scope around it after a cancellation.
    let open = future.neededOpenWork { OpenWork(isScope: true, outside: outside) }
    outside?.openWork?.remember(open, of: future)
    // Who is cancelled isn't to finish what it has.
    stopFuture.link(to: future.cancelToken)
  }

  deinit {
    // Nested, if a handler holds the next scope, and so on.
    Trampoline.run { [future, stopFuture, cancelsOnDeinit] in
      if cancelsOnDeinit {
        future.cancel()
      } else if future.openWork?.inside.isEmpty == true, future.isDrained {
        future.complete()
      }
      // Nobody can stop it any more.
      stopFuture.complete()
    }
  }

  /// The token of the scope: whoever has it can cancel everything, and wait for it.
  public var cancelToken: CancelToken { future.cancelToken }

  /// How much is open in the scope and in those inside: members and activities.
  ///
  /// It may be out of date when you read it. It asks each scope inside.
  public var count: Int { future.openCount }

  /// Whether nothing is open in it.
  ///
  /// It may be out of date when you read it. To wait for it, use ``CancellableWork/drain()``.
  public var isEmpty: Bool { count == 0 }
}

// MARK: - Describe

extension Scope: CustomStringConvertible, CustomReflectable {
  /// The label or the place where the scope was made, its state, and how much is open in it.
  ///
  /// A snapshot of one moment. For people; its form may change.
  public var description: String { "\(future.description(of: "Scope").dropLast()), \(count) open)" }

  /// The parts of ``description``, for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot of one moment; its form may change.
  public var customMirror: Mirror { future.mirror(of: self) }
}
