// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

// One at a time: its work blocks threads of the shared pool, of which there are few.
@Suite(.serialized) struct BackgroundTests {
  @Test func `it computes at once, on a global queue`() async throws {
    let ran = Gate("computed")
    @Sendable func compute() -> Int {
      dispatchPrecondition(condition: .onQueue(.global(qos: .utility)))
      ran.open()
      return 7
    }
    @Background(qos: .utility) var value = compute()
    // Nobody has read it.
    await ran.passed()
    #expect(try await $value.value == 7)
  }

  @Test func `two are computed at the same time`() async {
    let (first, second) = (Gate("first runs"), Gate("second runs"))
    @Sendable func meet(_ own: Gate, _ other: Gate) -> Int {
      own.open()
      other.wait()
      return 1
    }
    @Background var one = meet(first, second)
    @Background var other = meet(second, first)
    let (left, right) = (_one, _other)
    let sum = await onThread { left.wrappedValue + right.wrappedValue }
    #expect(sum == 2)
  }

  @Test func `reading it waits for the value`() async {
    let (reading, go) = (Gate("about to read"), Gate("the value may come"))
    @Sendable func compute() -> Int {
      go.wait()
      return 7
    }
    @Background var value = compute()
    let box = _value
    let reader = Task {
      await onThread {
        reading.open()
        return box.wrappedValue
      }
    }
    await reading.passed()
    #expect($value.isPending)
    go.open()
    #expect(await reader.value == 7)
  }

  private struct Scene: Sendable {
    @Background var sky: String
    @Background(label: "sea") var sea = "blue"

    init(_ log: EventLog<String>) {
      _sky = Background(
        wrappedValue: {
          log.add("computed")
          return "grey"
        }()
      )
    }
  }

  @Test func `as a stored variable its copies share the work`() async {
    let log = EventLog<String>()
    let scene = Scene(log)
    let copy = scene
    let skies = await onThread { [scene.sky, copy.sky, scene.sea] }
    #expect(skies == ["grey", "grey", "blue"])
    #expect(log.events == ["computed"])
    #expect(scene.$sky == copy.$sky)
    #expect(scene.$sea.origin.label == "sea")
  }

  @Test func `setting it puts a value in the place of the work, but not for copies`() async {
    var scene = Scene(EventLog())
    let copy = scene
    scene.sky = "red"
    #expect(scene.sky == "red")
    #expect(scene.$sky.result?.value == "red")
    let other = await onThread { copy.sky }
    #expect(other == "grey")
  }

  @Test func `a set value doesn't wait for the work, which goes on`() async throws {
    let go = Gate("the work may end")
    @Sendable func compute() -> Int {
      go.wait()
      return 7
    }
    @Background var value = compute()
    let work = $value
    value = 8
    #expect(value == 8)
    #expect(work.isPending)
    go.open()
    #expect(try await work.value == 7)
  }

  @Test func `an optional value may be nil, and is after a cancellation`() async {
    let go = Gate("the work may end")
    @Sendable func compute() -> Int? {
      go.wait()
      return 7
    }
    @Background var nothing = Int?.none
    @Background var cancelled = compute()
    let (first, second) = (_nothing, _cancelled)
    $cancelled.cancel()
    let values = await onThread { [first.wrappedValue, second.wrappedValue] }
    #expect(values == [nil, nil])
    go.open()
  }

  @Test func `without a label it is called by the place of the variable`() {
    let line: UInt = #line + 1
    @Background var value = 7
    #expect($value.description.contains("made at \(#fileID):\(line)"))
  }

  @Test(.exitTests) func `reading a cancelled one stops the program with a message`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let gate = Gate("never opened")
      @Sendable func compute() -> Int {
        gate.wait()
        return 7
      }
      @Background(label: "sky") var value = compute()
      $value.cancel(throwing: Reason("night"))
      let box = _value
      await onThread { _ = box.wrappedValue }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("the value of sky was read, but there is none"))
    #expect(text.contains("night"))
  }
}
