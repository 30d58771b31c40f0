// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import OpenCombine
import OpenCombineDispatch

@Sendable func receivedCancelled() async -> String? {
  let (subject, queue) = (PassthroughSubject<Int, Never>(), DispatchQueue(label: "queue"))
  var late = 0
  queue.suspend()
  let kept = subject.receive(on: queue).map { _ in late += 1 }.sink {}
  subject.send(1)
  subject.send(completion: .finished)
  kept.cancel()
  queue.resume()
  queue.sync {}
  return late == 0 ? nil : "1 arrived on the queue, which had been suspended until it was cancelled"
}
