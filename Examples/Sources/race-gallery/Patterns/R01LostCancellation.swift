// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// A cancellation handler that runs before the handle is stored: the request is sent anyway.
enum R01LostCancellation {
  static let pattern = Pattern(
    id: "R1",
    title: "Lost cancellation",
    published: [
      "Automattic/wordpress-rs#1518", "kean/Nuke#671", "JohnSundell/AsyncCompatibilityKit#8", "tryVital/vital-ios#46",
      "SDWebImage/SDWebImage#1031",
    ],
    rounds: 50,
    naive: { await isSentAfterCancel(naive) },
    ours: { await isSentAfterCancel(ours) }
  )

  static func naive(_ post: Post) async throws -> String {
    let box = Box()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        box.letter = post.send { continuation.resume(returning: "sent") }  // 2. stored too late
      }
    } onCancel: {
      box.letter?.stop()  // 1. finds nothing to stop
    }
  }

  // Wrong on purpose: two threads may use the letter at the same time.
  private final class Box: @unchecked Sendable { var letter: Letter? }

  static func ours(_ post: Post) async throws -> String {
    try await withFuture { completer in
      completer.attach {
        post.send { completer.complete(with: "sent") }
      } stop: { letter in
        letter.stop()
      }
    }
  }

  /// Runs a round: the task is cancelled before it calls.
  private static func isSentAfterCancel(_ send: @escaping @Sendable (Post) async throws -> String) async -> Bool {
    let post = Post()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await send(post)
    }
    task.cancel()
    _ = try? await task.value
    return post.sent.load(ordering: .acquiring) > 0
  }

  /// Sends letters, a little later, unless they are stopped.
  final class Post: Sendable {
    let sent = Atomic(0)

    func send(_ done: @escaping @Sendable () -> Void) -> Letter {
      let letter = Letter()
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.005) { [self] in
        guard !letter.isStopped.load(ordering: .acquiring) else { return }
        sent.add(1, ordering: .acquiringAndReleasing)
        done()
      }
      return letter
    }
  }

  final class Letter: Sendable {
    let isStopped = Atomic(false)

    func stop() { isStopped.store(true, ordering: .releasing) }
  }
}
