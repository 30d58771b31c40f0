// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct RecorderTests {
  @Test func `calls are recorded with answers and times`() throws {
    let recorder = Recorder<String, Int>(threads: 2)
    let one = recorder.call("one", on: 0) { 1 }
    #expect(one == 1)
    recorder.call("two", on: 1) { 2 }
    let calls = recorder.history.calls
    #expect(
      calls.map(\.operation) == ["one", "two"] && calls.map(\.answer) == [1, 2] && calls.map(\.thread) == [0, 1]
    )
    let (first, second) = (try #require(calls[0].ended), calls[1].begun)
    #expect(calls[0].begun <= first && first <= second)
  }

  @Test func `a call that throws, and one that isn't ended, never returned`() {
    let recorder = Recorder<String, Int>(threads: 1)
    #expect(throws: Reason("no")) {
      try recorder.call("throws", on: 0) { () throws(Reason) -> Int in throw Reason("no") }
    }
    let open = recorder.begin("queued", on: 0, keepsOrder: true)
    #expect(recorder.history.calls.allSatisfy { $0.answer == nil && $0.ended == nil })
    open.end(7)
    #expect(recorder.history.calls.map(\.answer) == [nil, 7])
    #expect(recorder.history.calls.map(\.keepsOrder) == [false, true])
  }

  @Test func `calls of tasks are recorded`() async throws {
    actor Counter {
      private var count = 0
      func increment() -> Int {
        count += 1
        return count
      }
    }
    let counter = Counter()
    let recorder = Recorder<String, Int>(threads: 3)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          for _ in 0..<20 { await recorder.callTask("increment", on: task) { await counter.increment() } }
        }
      }
    }
    let model = SequentialImplementation(0) { (count: inout Int, _: String) -> Int in
      count += 1
      return count
    }
    #expect(recorder.history.calls.count == 60)
    // Whether calls overlap is up to the machine.
    let report = await withoutRecording {
      await checkLinearizability("Counter", of: recorder.history, against: model)
    }
    #expect(report.linearizability.isLinearizable, "\(report)")
  }

  @Test func `calls of one thread never overlap, however short they are`() async {
    let recorder = Recorder<Int, Int>(threads: 1)
    for index in 0..<1_000 { recorder.call(index, on: 0) { index } }
    let calls = recorder.history.calls
    #expect(zip(calls, calls.dropFirst()).allSatisfy { ($0.ended ?? .max) < $1.begun })
  }

  @Test(.exitTests) func `misuse stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let call = Recorder<Int, Int>(threads: 1).begin(1, on: 0)
      call.end(1)
      call.end(2)
    }
    await #expect(processExitsWith: .failure) { Recorder<Int, Int>(threads: 1).call(1, on: 1) { 1 } }
  }
}
