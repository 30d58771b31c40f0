// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting

extension Bug {
  /// A bug of asynchronous code.
  ///
  /// The program returns a description of the failure, if there is one. It may hang, or end the process.
  init(id: String, title: String, async program: @escaping @Sendable @concurrent (Side) async -> String?) {
    self.init(
      id: id,
      title: title,
      hunts: [
        .loop: { side in
          await Find.loop {
            let (wrong, hasEnded) = (Variable<String?>(nil), DispatchSemaphore(value: 0))
            Task.detached {
              wrong.value = await program(side)
              hasEnded.signal()
            }
            // A program that hangs isn't waited for.
            return hasEnded.wait(timeout: .now() + 5) == .timedOut || wrong.value != nil
          }
        },
        .exploreTasks: { side in
          Find(
            await exploreTasks(title, seed: 1) { scenario in
              if let wrong = await program(side) { scenario.check(false, wrong) }
            }
          )
        },
      ]
    )
  }
}
