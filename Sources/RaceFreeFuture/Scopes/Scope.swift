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
/// The members of a scope are cancelled with it, for the same reason. They leave it by themselves when they are over:
/// decided, their handlers returned, and nothing left that keeps them open (``Activity``). A scope that lives long
/// doesn't grow by members that have left. A scope is thread-safe; adding and leaving take constant time.
///
/// Like all ``CancellableWork``, a scope can be cancelled, observed and linked, and has activities. It is completed
/// only if it is released while nothing is open in it and it has no nested scopes. It doesn't keep its members. They
/// can be stopped and cancelled through enclosing scopes until they have left, even if the scope itself was released.
public final class Scope: CancellableWork {
  let future: Future
  /// The places for members that the scope starts; nil if there is no limit.
  let places: Places?
  private let stop: OpenWork.Stop
  /// The future that is cancelled when a graceful stop begins.
  var stopFuture: Future { stop.future }

  /// Creates an empty scope, by itself or inside another one.
  ///
  /// A nested scope is stopped and cancelled with the enclosing scope, to which its members belong, too. If the
  /// enclosing scope is already cancelled, the nested scope is created cancelled. A nested scope in which nothing is
  /// open isn't waited for. The enclosing scope doesn't keep a nested one; but this and its work remain part of the
  /// enclosing scope even if the latter's object is released first. When something begins while nothing is open in a
  /// nested scope, and when the last open thing in it has ended, the enclosing scopes are told, up to the first in
  /// which anything else is open.
  ///
  /// Releasing a scope has no effect on its members. To cancel them with an object, let the object keep the result of
  /// ``CancellableWork/cancelOnDeinit()``.
  ///
  /// - Parameters:
  ///   - parent: The enclosing scope.
  ///   - limit: The number of members, started by ``addTask(name:priority:fileID:line:_:)`` and
  ///     ``start(name:fileID:line:_:)``, that run at the same time; nil for any number. The others wait, and begin in
  ///     order of arrival. A place is free when its member has ended, as for ``CancellableWork/drain()``, also if it
  ///     was cancelled; a member that is cancelled while it waits never begins. A member that awaits another member may
  ///     wait for its own place. If the limit is less than 1, the program stops.
  ///   - label: A name for descriptions and errors.
  public init(
    in parent: Scope? = nil,
    limit: Int? = nil,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let site = CreationSite(fileID, line)
    future = Future(label: label, site: site)
    if let limit, limit < 1 {
      fatalError("in a scope with a limit of \(limit) nothing would ever begin: \(future.name)")
    }
    places = limit.map(Places.init)
    stop = OpenWork.Stop(Future(label: "stop of \(future.name)", site: site))
    let outside = parent?.future
    // Before it is linked, so that it is found by code that queries the enclosing scope after a cancellation.
    let open = future.neededOpenWork { [stop] in OpenWork(ofScopeIn: outside, stop: stop) }
    outside?.openWork?.remember(open, of: future)
    future.process { ($0.nesting[.isScope], $0.nesting[.isNested]) = (true, outside != nil) }
    // A cancelled scope isn't to finish its work.
    stopFuture.link(to: future.cancelToken)
    guard let parent else {
      if Hooks.isOn(.rootScopes) { RootScopes.add(future) }
      return
    }
    stopFuture.link(to: parent.stopToken)
    future.link(to: parent.cancelToken)
  }

  deinit {
    // Nested, if a handler holds the next scope, and so on.
    Trampoline.run { [future, stopFuture] in
      guard future.openWork?.inside.isEmpty == true, future.isDrained else { return }
      // Dependents keep the future (L11). The stop is one of them until it ends; reading its state last can only
      // overcount.
      let dependents = future.process { $0.dependentCount }
      if dependents == (stopFuture.isPending ? 1 : 0) { future.complete() }
    }
  }

  /// The token of the scope, to cancel all its members and to wait for them.
  public var cancelToken: CancelToken { future.cancelToken }

  /// The number of open members and activities in the scope and in nested ones.
  ///
  /// It may be out of date by the time you read it. Reading it visits each nested scope. To wait for the end of all,
  /// use ``CancellableWork/drain()``.
  public var count: Int { future.openCount }
}

// MARK: - Describe

extension Scope: CustomStringConvertible, CustomReflectable {
  /// The label or the place where the scope was created, its state, and the number of open members and activities.
  ///
  /// A snapshot, meant for people to read; the format may change.
  public var description: String { "\(future.description(of: "Scope").dropLast()), \(count) open)" }
}
