// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The work that was open at one moment, as a tree: a scope, its members, their activities, and nested scopes.
///
/// ```
/// service is open, made at Server/main.swift:8
///   connection 7 is open, made at Server/Connection.swift:20
///     upload is pending after 2.0 seconds, made at Server/Upload.swift:12
///     goodbye of connection 7 still runs after 1.0 seconds, begun at Server/Connection.swift:41
///   import waits for a place after 61.0 seconds, made at Server/Import.swift:12
/// ```
///
/// It is a value, and keeps none of the work.
public struct WorkTree: Sendable, CustomStringConvertible {
  /// A node of the tree.
  public struct Node: Sendable {
    /// The number of nodes above it.
    public let depth: Int
    /// The work, or the activity.
    public let work: DrainError.Remaining
  }

  /// The nodes, each above its contents, beginning with the work that was asked; empty if nothing was open.
  public let nodes: [Node]

  /// A line for each node, meant for people to read.
  public var description: String {
    nodes.map { String(repeating: "  ", count: $0.depth) + $0.work.description }.joined(separator: "\n")
  }
}

extension CancellableWork {
  /// The work that is open at present, in a scope with everything that is in it: a snapshot, without stopping anything.
  ///
  /// What begins and ends meanwhile may be missing or still be there. Reading it looks at each piece of work in turn.
  /// This can be called from any thread, and never blocks.
  public var openWork: WorkTree {
    let future = cancelToken.future
    let found = future.isDrained ? [] : DrainError.search(future)
    return WorkTree(
      nodes: found.flatMap { work, remaining in
        let own = remaining.first.flatMap { $0.isActivity ? nil : $0 } ?? DrainError.Remaining(.open, of: work)
        let activities = remaining.filter(\.isActivity)
        return [WorkTree.Node(depth: work.depth, work: own)]
          + activities.map { WorkTree.Node(depth: work.depth + 1, work: $0) }
      }
    )
  }
}
