// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import LocalServer
import RaceFreeFutureTesting
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Hunt {
  static let loading = [
    Hunt(
      name: "session.cancel",
      package: "Foundation",
      type: "`URLSessionTask`",
      property: "A task that is cancelled while it ends calls its completion handler once",
      tool: "race",
      known: ["the program died"],
      remark:
        "Known as [foundation #3296](https://github.com/swiftlang/swift-corelibs-foundation/issues/3296), open. `platform cancelled-task` shows it without a tool. This library cancels on the delegate queue."
    ) {
      guard let server = Server(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok") else {
        return Catch(holds: false, effort: "–", fault: "no server can be started", report: "")
      }
      let session = URLSession(configuration: .ephemeral)
      var result: Catch?
      await reportingCrashes {
        result = Catch(
          await race(
            "cancel against the end of a task",
            .init(for: .seconds(20)),
            make: { TaskSubject(session, server.url) },
            actors: { subject in
              // The end comes after a time of its own.
              usleep(.random(in: 0...1_500))
              subject.task.cancel()
            },
            { $0.task.state.rawValue >= 0 },
            outcome: { subject, _, _ in
              _ = subject.ended.wait(timeout: .now() + .seconds(10))
              return subject.calls.value
            },
            expect: [.acceptable(1), .forbidden(0, "it was never called"), .forbidden(2, "it was called twice")]
          )
        )
      }
      return result ?? Catch(holds: false, effort: "–", fault: "no report", report: "")
    }
  ]
}

/// The counter is relaxed: it is read after the wait.
private final class TaskSubject: @unchecked Sendable {
  let task: URLSessionDataTask
  let calls: Counter
  let ended: DispatchSemaphore

  final class Counter: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  init(_ session: URLSession, _ url: URL) {
    let (calls, ended) = (Counter(), DispatchSemaphore(value: 0))
    (self.calls, self.ended) = (calls, ended)
    task = session.dataTask(with: url) { _, _, _ in
      calls.add()
      ended.signal()
    }
    task.resume()
  }
}
