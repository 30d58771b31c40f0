// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// A cancellation handler runs before the handle is stored, and finds nothing: the letter is sent anyway.
enum LostCancellation {
  static func naive(_ send: @escaping @Sendable () -> Void) async {
    let box = Box()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        box.letter = post {
          send()
          continuation.resume()
        }  // 2. stored too late
      }
    } onCancel: {
      box.letter?.stop()  // 1. nothing is here yet
    }
  }

  // Wrong on purpose: two threads may use the letter at the same time.
  private final class Box: @unchecked Sendable { var letter: Letter? }

  static func ours(_ send: @escaping @Sendable () -> Void) async {
    try? await withFuture { completer in
      completer.attach {
        post {
          send()
          completer.complete(with: ())
        }
      } stop: { letter in
        letter.stop()
      }
    }
  }

  private static func post(_ send: @escaping @Sendable () -> Void) -> Letter {
    let letter = Letter()
    DispatchQueue.global().async { if !letter.isStopped.load(ordering: .acquiring) { send() } }
    return letter
  }

  private final class Letter: Sendable {
    let isStopped = Atomic(false)

    func stop() { isStopped.store(true, ordering: .releasing) }
  }

  /// Says what becomes of a letter that a cancelled task sends.
  static func fate(of program: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void) async -> String {
    let mail = Mail()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await program { mail.isSent.store(true, ordering: .releasing) }
    }
    task.cancel()
    await task.value
    return mail.isSent.load(ordering: .acquiring) ? "sent" : "not sent"
  }

  private final class Mail: Sendable { let isSent = Atomic(false) }
}
