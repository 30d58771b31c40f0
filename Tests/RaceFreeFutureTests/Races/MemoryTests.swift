// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import TestSupport
import Testing

/// Much comes and goes, and the process is as small as before.
///
/// Each load runs in a process of its own, where nothing else allocates.
@Suite(.serialized) struct MemoryTests {
  @Test(.exitTests) func `a quarter of a million futures created, resolved and dropped leave nothing behind`() async {
    // What fails inside is reported as a failure of this test.
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "given")
      await expectNoGrowth(times: 250_000) { index in
        let future = Future()
        future.onCleanUp(on: .inline) {}
        future.onCancel(on: queue) {}
        // One in 64 has a private queue of its own. The waits let the queues keep up with this loop.
        let hasQueue = index % 64 == 0
        if hasQueue { future.onComplete {} }
        index % 2 == 0 ? future.complete() : future.cancel()
        if hasQueue { future.performAndWait { queue.sync {} } }
      }
    }
  }

  @Test(.exitTests) func `futures dropped while pending leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      let live = LiveCount()
      await expectNoGrowth(times: 100_000) { _ in
        let instance = live.make()
        Future().onCleanUp { instance.touch() }
      }
      #expect(live.value == 0)
    }
  }

  @Test(.exitTests) func `a long-lived future that sees handlers, links and timed-out waits come and go stays small`()
    async
  {
    await #expect(processExitsWith: .success) {
      let shutdown = Future(label: "shutdown")
      let live = LiveCount()
      await expectNoGrowth(times: 100_000) { index in
        let instance = live.make()
        shutdown.onCancel { instance.touch() }.unregister()
        shutdown.cascadeCancellation(to: Future())
        let request = Future(linkedTo: shutdown)
        let inner = Future()
        request.passControl(to: inner)
        request.onCleanUp(on: .inline) { instance.touch() }
        if index % 2 == 0 {
          _ = Future.any([shutdown, request])
          request.complete()
        }
        withExtendedLifetime(inner) {}
        _ = shutdown.wait(timeout: .nanoseconds(0))
        if index % 64 == 0 { _ = shutdown.wait(timeout: .nanoseconds(1)) }
        if index % 640 == 0 { shutdown.cancel(after: .seconds(1000)).unregister() }
      }
      #expect(live.value == 0)
      #expect(shutdown.description == "Future(\"shutdown\", pending)")
    }
  }

  @Test(.exitTests) func `tasks that await a long-lived future and are cancelled leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      let shutdown = Future(label: "shutdown")
      let before = footprint()
      for _ in 0..<enough(100_000) {
        let task = Task { try? await shutdown.value }
        task.cancel()
        await task.value
      }
      #expect(shutdown.description == "Future(\"shutdown\", pending)")
      expectSmall(before, footprint())
    }
  }

  @Test func `adding and removing takes as long with a hundred thousand others`() async {
    let future = Future()
    let registrations = (0..<iterations(100_000)).map { _ in future.onCancel {} }
    // A walk through the others would make this ten thousand million steps.
    for _ in 0..<iterations(100_000) { future.onCancel {}.unregister() }
    let removed = registrations.count { $0.unregister() }
    #expect(removed == registrations.count)
    #expect(future.description.hasSuffix("pending)"))
  }
}

/// Resident bytes and threads, as the kernel counts them; nil where it doesn't tell.
private struct Footprint {
  var bytes: Int
  var threads: Int
}

private func footprint() -> Footprint? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
  func number(_ key: String) -> Int? {
    status.split(separator: "\n").first { $0.hasPrefix(key) }?
      .split { !$0.isNumber }.first.flatMap { Int($0) }
  }
  guard let kilobytes = number("RssAnon:"), let threads = number("Threads:") else { return nil }
  return Footprint(bytes: kilobytes * 1024, threads: threads)
}

/// Runs a load a few times to warm up and then as often as told, and expects a process of about the same size.
private func expectNoGrowth(times: Int, _ load: @escaping @Sendable (Int) -> Void) async {
  await onThread { for index in 0..<20_000 { load(index) } }
  let before = footprint()
  await onThread { for index in 0..<enough(times) { load(index) } }
  expectSmall(before, footprint())
}

/// Never less often than told, because a leak has to stand out from the allocator's own ups and downs; but with a
/// sanitizer they aren't looked at.
private func enough(_ times: Int) -> Int { isSanitized ? iterations(times) : max(times, iterations(times)) }

/// Sixteen megabytes are the ups and downs of an allocator with an arena for each thread.
///
/// A hundred thousand lost links or handlers are more.
private func expectSmall(_ before: Footprint?, _ after: Footprint?) {
  guard !isSanitized, let before, let after else { return }
  #expect(after.bytes - before.bytes < 16 << 20)
  #expect(after.threads - before.threads < 32)
}
