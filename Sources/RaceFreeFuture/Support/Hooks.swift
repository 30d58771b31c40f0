// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What is switched on in the whole program, in one word: almost always nothing.
///
/// A call asks once, and passes the answer on. What a hook does is kept out of line, in functions that aren't inlined.
struct Hooks: OptionSet {
  let rawValue: UInt8

  /// There is an observer (`Observation`).
  static let observer = Hooks(rawValue: 1)
  /// Closures carry a context (`Context`).
  static let context = Hooks(rawValue: 2)
  /// There has been a scheduler (`Scheduling`).
  static let scheduler = Hooks(rawValue: 4)
  /// There has been a current token (`CurrentFuture`).
  static let token = Hooks(rawValue: 8)
  /// Scopes are listed (`RootScopes`).
  static let rootScopes = Hooks(rawValue: 16)

  /// Relaxed: it only tells whether to look further, and what is found there is ordered by itself.
  ///
  /// An observer and a context are behind a lock, under which the word is changed; another thread may see a change a
  /// little later, as if its current actions came before the change. A thread or task that has a scheduler or a token of
  /// its own has changed the word itself, or was started after that.
  private static let word = Atomic<UInt8>(0)

  /// What is on now.
  @inline(__always) static var now: Hooks { Hooks(rawValue: word.load(ordering: .relaxed)) }

  /// True if one of the hooks is on.
  @inline(__always) static func isOn(_ hooks: Hooks) -> Bool { !now.isDisjoint(with: hooks) }

  /// Switches a hook on or off.
  static func set(_ hook: Hooks, to isOn: Bool = true) {
    // Looked at first: a word that doesn't change stays in the caches of all cores.
    if Hooks.isOn(hook) == isOn { return }
    if isOn {
      word.bitwiseOr(hook.rawValue, ordering: .relaxed)
    } else {
      word.bitwiseAnd(~hook.rawValue, ordering: .relaxed)
    }
  }

  /// A closure of the application, which switches a hook on.
  struct Setting<Closure: Sendable>: ~Copyable, Sendable {
    private struct Content {
      var closure: Closure?
    }

    private let hook: Hooks
    /// Guards the closure, which is called and released outside.
    private let content = Locked(Content())

    init(_ hook: Hooks) { self.hook = hook }

    var closure: Closure? {
      get { content.withLock { $0.closure } }
      nonmutating set {
        content.release { content in
          let old = content
          content.closure = newValue
          Hooks.set(hook, to: newValue != nil)
          return old
        }
      }
    }
  }
}
