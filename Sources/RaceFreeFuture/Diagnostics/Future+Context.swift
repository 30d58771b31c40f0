// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Carry context

extension Future {
  /// A closure that carries task-local values, such as logging metadata or a tracing context, from the place where a
  /// closure is registered to the place where it runs.
  ///
  /// ```swift
  /// enum Request { @TaskLocal static var id: String? }
  ///
  /// Future.contextPropagation = {
  ///   let id = Request.id
  ///   return { body in Request.$id.withValue(id, operation: body) }
  /// }
  /// ```
  ///
  /// The closure is called at each registration of a handler, of a block for ``CancellableWork/perform(_:)`` and the
  /// like, of the work of a background or lazy future or a closure that makes one future from another, and at the
  /// creation of an operation: on the thread that does so, with no lock held. It captures the context there, and returns
  /// a function that establishes it again while it runs its argument: exactly once, before it returns. That is called on
  /// any thread, around the run and nowhere else: the captures of the closures are released outside of it. If it is nil,
  /// the closure runs as without propagation: on a thread that is running a handler, in the context of that. Tasks have
  /// their own context.
  ///
  /// Setting it takes effect at once on this thread and soon on others, for later registrations. It belongs to the
  /// application: libraries shouldn't set it. The default, nil, costs one load at each registration.
  public static var contextPropagation: (@Sendable () -> (@Sendable (_ body: () -> Void) -> Void)?)? {
    get { Context.setting.closure }
    set { Context.setting.closure = newValue }
  }
}
