// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The scopes that are in no other one, if they were created since they are to be listed.
enum RootScopes {
  private struct State {
    var scopes: [OpenWork.WeakFuture] = []
    /// The number at which released scopes are removed: so that takes constant time on average.
    var limit = 16
  }

  /// Guards the list; the futures that it has led to are released outside.
  private static let state = Locked(State())

  static func add(_ scope: Future) {
    state.release { state -> [Future] in
      let new = OpenWork.WeakFuture(future: scope)
      guard state.scopes.count >= state.limit else {
        state.scopes.append(new)
        return []
      }
      let living = state.scopes.compactMap(\.future)
      state.scopes = living.map(OpenWork.WeakFuture.init) + [new]
      state.limit = max(16, 2 * state.scopes.count)
      return living
    }
  }

  /// The number of scopes in the list, those included that are gone.
  static var count: Int { state.withLock { $0.scopes.count } }

  static var all: [Future] { state.withLock { $0.scopes.compactMap(\.future) } }
}

extension Scope {
  /// Lists all scopes that are created in no other one from now on.
  package static func listRoots() { Hooks.set(.rootScopes) }

  /// The open work of all scopes that are listed, as text.
  package static var openWorkOfRoots: String {
    let trees = RootScopes.all.map { $0.openWork.description }.filter { !$0.isEmpty }
    return trees.isEmpty ? "nothing is open" : trees.joined(separator: "\n")
  }
}
