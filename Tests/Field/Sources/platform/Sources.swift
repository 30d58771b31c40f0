// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import Dispatch
import Foundation
import Glibc

extension Defect {
  static var sources: [Defect] {
    [
      Defect(
        name: "lost-bytes",
        title: "A read source gives a pipe up when its other end is closed, whatever is still in it.",
        about: "Processes/Children/DescriptorMonitor.swift",
        look: lookForBytes
      ),
      Defect(
        name: "spinning-source",
        title: "A write source of a full pipe that nobody reads any more spins.",
        about: "Processes/Children/DescriptorMonitor.swift",
        known:
          "its like for reading was [dispatch #644](https://github.com/swiftlang/swift-corelibs-libdispatch/issues/644), closed",
        look: lookForSpinning
      ),
      Defect(
        name: "freed-source",
        title: "Dispatch uses memory that it has freed when several pipes are closed at the same time.",
        about: "Processes/Children/DescriptorMonitor.swift",
        known: "[dispatch #949](https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949), open",
        crashes: true,
        look: lookForFreedMemory
      ),
      Defect(
        name: "lost-timer",
        title: "The first timer of a program never fires if few descriptors are free, and ends it if none is.",
        about: "none",
        look: lookForTimer
      ),
    ]
  }
}

private func lookForTimer() -> Finding {
  var limit = rlimit(rlim_cur: 64, rlim_max: 64)
  setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
  var held: [Int32] = []
  while case let copy = dup(1), copy >= 0 { held.append(copy) }
  for copy in held.suffix(2) { close(copy) }
  let fired = DispatchSemaphore(value: 0)
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { fired.signal() }
  timer.schedule(deadline: .now() + .milliseconds(1))
  timer.activate()
  // A semaphore's own timeout needs no descriptor.
  return fired.wait(timeout: .now() + .seconds(5)) == .success
    ? Finding(.unseen, "with two free descriptors it fired")
    : Finding(.there, "a timer of a millisecond hadn't fired after 5 s")
}

private func makePipe() -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  return (ends[0], ends[1])
}

/// What the handler of a source counts, on the source's queue only; read when that is done.
private final class Count: @unchecked Sendable {
  var value = 0
}

private func lookForBytes() -> Finding {
  let total = 1_000
  let ends = makePipe()
  write(ends.write, [UInt8](repeating: 7, count: total), total)
  close(ends.write)
  let queue = DispatchQueue(label: "reader")
  let source = DispatchSource.makeReadSource(fileDescriptor: ends.read, queue: queue)
  let (count, ended) = (Count(), DispatchSemaphore(value: 0))
  source.setEventHandler {
    // In pieces, as a reader does that has a buffer.
    var buffer = [UInt8](repeating: 0, count: 100)
    let read = read(ends.read, &buffer, 100)
    if read <= 0 { ended.signal() } else { count.value += read }
  }
  source.activate()
  let isComplete = ended.wait(timeout: .now() + .seconds(3)) == .success
  let bytes = queue.sync { count.value }
  return isComplete && bytes == total
    ? Finding(.gone, "all \(total) bytes, and the end, were told")
    : Finding(
      .there,
      "the handler was called for \(bytes) of \(total) bytes, and\(isComplete ? "" : " not") for the end"
    )
}

private func lookForSpinning() -> Finding {
  signal(SIGPIPE, SIG_IGN)
  let ends = makePipe()
  _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
  while write(ends.write, [UInt8](repeating: 7, count: 4_096), 4_096) > 0 {}
  let queue = DispatchQueue(label: "writer")
  let source = DispatchSource.makeWriteSource(fileDescriptor: ends.write, queue: queue)
  let count = Count()
  source.setEventHandler {
    count.value += 1
    // A pipe without a reader refuses what is written; then there is nothing to wait for any more.
    if write(ends.write, [7], 1) < 0, errno == EPIPE { source.cancel() }
  }
  source.activate()
  queue.sync {}
  usleep(100_000)
  close(ends.read)
  let before = clock()
  sleep(1)
  let seconds = Double(clock() - before) / Double(CLOCKS_PER_SEC)
  let calls = queue.sync { count.value }
  let text =
    "in a second it took \(seconds.formatted(.number.precision(.fractionLength(2)))) s of CPU time, \(calls) calls of the handler"
  return Finding(seconds > 0.2 ? .there : .gone, text)
}

private func lookForFreedMemory() -> Finding {
  let rounds = 20_000
  let queues = (0..<8).map { DispatchQueue(label: "reader \($0)") }
  let end = ContinuousClock.now + .seconds(20)
  var done = 0
  while done < rounds, ContinuousClock.now < end {
    let group = DispatchGroup()
    for queue in queues {
      let ends = makePipe()
      group.enter()
      let source = DispatchSource.makeReadSource(fileDescriptor: ends.read, queue: queue)
      source.setEventHandler { source.cancel() }
      source.setCancelHandler {
        close(ends.read)
        group.leave()
      }
      source.activate()
      DispatchQueue.global().async { close(ends.write) }
    }
    // A pipe that is never reported is a defect, too, but another one.
    if group.wait(timeout: .now() + .seconds(5)) == .timedOut {
      return Finding(.there, "in round \(done + 1) the end of a pipe was never told")
    }
    done += 1
  }
  return Finding(.unseen, "\(done) rounds with eight pipes each went well")
}
