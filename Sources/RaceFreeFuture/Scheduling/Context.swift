// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The context that closures carry from their registration to their run.
///
/// Code that accepts a user's closure asks `Hooks` first.
package enum Context {
  /// A function that establishes a context while it runs its argument.
  package typealias Carrier = @Sendable (_ body: () -> Void) -> Void

  /// The application's closure.
  static let setting = Hooks.Setting<@Sendable () -> Carrier?>(.context)

  /// The context of the running code, if there is something to carry.
  package static func captured() -> Carrier? { Hooks.isOn(.context) ? setting.closure?() : nil }

  /// Runs the body in a context, once.
  package static func run(in scope: Carrier?, _ body: () -> Void) {
    guard let scope else { return body() }
    var isRun = false
    scope {
      precondition(!isRun, "what Future.contextPropagation returned has run its body twice")
      isRun = true
      body()
    }
    precondition(isRun, "what Future.contextPropagation returned hasn't run its body")
  }

  /// Wraps a function to run in the context of the running code, wherever it is called.
  static func carried<Argument, Value>(
    _ function: @escaping @Sendable (Argument) -> Value
  ) -> @Sendable (Argument) -> Value {
    guard let scope = captured() else { return function }
    return { argument in
      var value: Value?
      run(in: scope) { value = function(argument) }
      guard let value else { preconditionFailure("a function without a value") }
      return value
    }
  }

  /// Wraps a handler to run in the context of the running code, wherever it is called.
  @inline(never)
  static func carried(_ handler: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let scope = captured() else { return handler }
    return { run(in: scope, handler) }
  }
}
