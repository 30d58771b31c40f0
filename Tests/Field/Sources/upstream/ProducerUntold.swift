// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

private let isTold = Atomic(false)

@Sendable func producerUntold() async -> String? {
  struct Delegate: NIOAsyncSequenceProducerDelegate {
    func produceMore() {}
    func didTerminate() { isTold.store(true, ordering: .relaxed) }
  }
  typealias Marks = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
  let new = NIOAsyncSequenceProducer<Int, Marks, Delegate>.makeSequence(
    backPressureStrategy: Marks(lowWatermark: 1, highWatermark: 2),
    finishOnDeinit: false,
    delegate: Delegate()
  )
  let (source, sequence) = (new.source, new.sequence)
  let consumer = Task {
    withUnsafeCurrentTask { $0?.cancel() }
    for await _ in sequence {}
  }
  await consumer.value
  source.finish()
  return isTold.load(ordering: .relaxed) ? nil : "consumer and source had ended, and the delegate was told nothing"
}
