// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Question {
  /// All questions, in the order of the table.
  static var all: [Question] {
    [
      .selfCheck,
      .completion,
      .cancellation,
      .ancestor,
      .lateHandlers,
      .handlerOnQueue,
      .handlersOnPrivateQueue,
      .polling,
      .addingAndRemoving,
      .fanOut,
      .linkTrees,
      .memory,
      .contention,
      .performing,
      .awaiting,
      .bridging,
      .background,
      .chains,
      .combining,
      .scopes,
      .deadlines,
      .requests,
      .operations,
      .loading,
    ] + [furtherPeers].compactMap(\.self)
  }
}
