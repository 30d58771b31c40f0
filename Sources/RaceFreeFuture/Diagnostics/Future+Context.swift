// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Carry context

extension Future {
  /// A function that puts a context in force while it runs the body it is given: exactly once, before it returns.
  public typealias ContextScope = @Sendable (_ body: () -> Void) -> Void

  /// What carries task-local values, such as logging metadata or a tracing context, from where a closure is registered
  /// to where it runs.
  ///
  /// ```swift
  /// enum Request { @TaskLocal static var id: String? }
  ///
  /// Future.contextPropagation = {
  ///   guard let id = Request.id else { return nil }
  ///   return { body in Request.$id.withValue(id, operation: body) }
  /// }
  /// ```
  ///
  /// The closure is called whenever somebody registers a handler, gives work to ``perform(_:)`` and the like, to a
  /// background or lazy future or to a closure that makes one future from another, or makes an operation: on the
  /// thread that does so, with no lock held. It captures what is in force there, and returns what puts that in force
  /// again; nil: there is nothing to carry. That is called around the run, on whichever thread, and nowhere else: what the
  /// closures captured is released outside of it. A block that its caller waits for, as with
  /// ``performAndWait(_:)``, runs on the thread that has the context; tasks have one of their own.
  ///
  /// Setting it takes effect at once on this thread and soon on others, for what is registered then. It belongs to the
  /// application: libraries shouldn't set it. Nil, as at first, costs one load where something is registered.
  public static var contextPropagation: (@Sendable () -> ContextScope?)? {
    get { Context.propagation }
    set { Context.propagation = newValue }
  }
}
