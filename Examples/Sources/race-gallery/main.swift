// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Three bugs that were published many times, each in the program that people write, and in one with a future.

show(
  "A cancellation comes before there is anything to stop",
  naive: await LostCancellation.fate(of: LostCancellation.naive),
  ours: await LostCancellation.fate(of: LostCancellation.ours)
)
show(
  "A timeout of 10 ms, and an answer after 3 s",
  naive: await TimeoutThatWaits.end(of: TimeoutThatWaits.naive),
  ours: await TimeoutThatWaits.end(of: TimeoutThatWaits.ours)
)
show(
  "A permit is given to a task that is cancelled",
  naive: await LostPermit.permits(of: LostPermit.Naive()),
  ours: await LostPermit.permits(of: LostPermit.Ours())
)

func show(_ title: String, naive: String, ours: String) {
  print("\(title):\n  naive          \(naive)\n  with a future  \(ours)")
}
