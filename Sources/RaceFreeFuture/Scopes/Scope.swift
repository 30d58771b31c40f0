// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A group of running work of all kinds, cancelled together and waited for together: the work of a view, a connection
/// or a service.
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
/// Its members are cancelled with it, for the same reason, and leave it by themselves when they are over: decided,
/// their handlers returned, and nothing left that keeps them open (``Activity``). A scope that lives long doesn't grow
/// by members that have left. It is thread-safe; adding and leaving take constant time.
///
/// A scope is a future that is completed only when it is released while nothing is open in it and it has no nested
/// scopes. It can be cancelled, observed, linked, and has activities like all ``CancellableWork``. It doesn't keep its
/// members. They can be stopped and cancelled through enclosing scopes until they have left, even if the scope itself
/// was released.
public final class Scope: CancellableWork {
  let future: Future
  private let stop: OpenWork.Stop
  /// The future that is cancelled when a graceful stop begins.
  var stopFuture: Future { stop.future }
  private let cancelsOnDeinit: Bool

  /// Creates an empty scope.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - cancelsOnDeinit: True if releasing the scope cancels its members. Otherwise they continue.
  ///   - fileID: The file in which the scope is created; keep the default.
  ///   - line: The line on which the scope is created; keep the default.
  public convenience init(
    label: String? = nil,
    cancelsOnDeinit: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(nil, label, cancelsOnDeinit, CreationSite(fileID, line))
  }

  /// Creates a scope inside another one: it is stopped and cancelled with it, and its members also belong to that one.
  ///
  /// A nested scope in which nothing is open isn't waited for. In a cancelled scope it is created cancelled. It and its
  /// work remain part of the enclosing scope even if that object is released first; if the object was created with
  /// `cancelsOnDeinit`, releasing it cancels them. The enclosing scope doesn't keep it. A wait for the end of the
  /// enclosing scope visits each nested one twice; work that begins meanwhile makes it visit them again.
  ///
  /// - Parameters:
  ///   - parent: The enclosing scope.
  ///   - label: A name for descriptions and errors.
  ///   - cancelsOnDeinit: True if releasing the scope cancels its members. Otherwise they continue.
  ///   - fileID: The file in which the scope is created; keep the default.
  ///   - line: The line on which the scope is created; keep the default.
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
    stop = OpenWork.Stop(Future(label: "stop of \(future.name)", site: site))
    self.cancelsOnDeinit = cancelsOnDeinit
    let outside = parent?.future
    // Before it is linked, so that it is found by code that queries the enclosing scope after a cancellation.
    let open = future.neededOpenWork { [stop] in OpenWork(ofScopeIn: outside, stop: stop) }
    outside?.openWork?.remember(open, of: future)
    // A cancelled scope isn't to finish its work.
    stopFuture.link(to: future.cancelToken)
  }

  deinit {
    // Nested, if a handler holds the next scope, and so on.
    Trampoline.run { [future, cancelsOnDeinit] in
      if cancelsOnDeinit {
        future.cancel()
      } else if future.openWork?.inside.isEmpty == true, future.isDrained {
        future.complete()
      }
    }
  }

  /// The token of the scope, to cancel all its members and to wait for them.
  public var cancelToken: CancelToken { future.cancelToken }

  /// The number of open members and activities in the scope and in nested ones.
  ///
  /// It may be out of date by the time you read it. Reading it visits each nested scope.
  public var count: Int { future.openCount }

  /// A Boolean value that indicates whether nothing is open in the scope.
  ///
  /// It may be out of date by the time you read it. To wait for it, use ``CancellableWork/drain()``.
  public var isEmpty: Bool { count == 0 }
}

// MARK: - Describe

extension Scope: CustomStringConvertible, CustomReflectable {
  /// The label or the place where the scope was created, its state, and the number of open members and activities.
  ///
  /// A snapshot, meant for people to read; the format may change.
  public var description: String { "\(future.description(of: "Scope").dropLast()), \(count) open)" }

  /// The parts of ``description``, for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot; the format may change.
  public var customMirror: Mirror { future.mirror(of: self) }
}
