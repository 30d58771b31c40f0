// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct LazyTests {
  private struct Document: Sendable {
    @Lazy var words: [String]
    @Lazy(label: "title") var title = "untitled"

    /// Logs the threads that compute the words.
    init(_ log: EventLog<ObjectIdentifier>) {
      _words = Lazy(
        wrappedValue: {
          log.add(ObjectIdentifier(Thread.current))
          return ["a", "b"]
        }()
      )
    }
  }

  @Test func `it is computed when it is first read, once, on the thread that reads`() async {
    let log = EventLog<ObjectIdentifier>()
    // A constant's member: reading doesn't change it.
    let document = Document(log)
    #expect(log.events == [])
    #expect(document.$words.isPending)
    let isHere = await onThread {
      let words = document.words + document.words
      return words == ["a", "b", "a", "b"] && log.events == [ObjectIdentifier(Thread.current)]
    }
    #expect(isHere)
  }

  @Test func `one that nobody reads is never computed, and released`() {
    let live = LiveCount()
    func drop() {
      let instance = live.make()
      @Sendable func compute() -> Int {
        instance.touch()
        Issue.record("nobody read it")
        return 7
      }
      @Lazy var value = compute()
      #expect($value.isPending)
    }
    drop()
    #expect(live.value == 0)
  }

  @Test func `copies share the value`() async {
    let log = EventLog<ObjectIdentifier>()
    let document = Document(log)
    let copy = document
    let words = await onThread { [copy.words, document.words] }
    #expect(words == [["a", "b"], ["a", "b"]])
    #expect(log.events.count == 1)
    #expect(copy.$words == document.$words)
  }

  @Test func `several threads that read it get the value of one computation`() async {
    struct Subject: Sendable {
      let log = EventLog<Int>()
      let seen = EventLog<Int>()
      let value: Lazy<Int>
      init() {
        let log = log
        value = Lazy(
          wrappedValue: {
            log.add(1)
            return 7
          }()
        )
      }
    }
    await stress(
      rounds: iterations(500),
      make: { Subject() },
      actors: (0..<3).map { _ in { $0.seen.add($0.value.wrappedValue) } },
      verify: { subject in
        #expect(subject.log.events == [1])
        #expect(subject.seen.events == [7, 7, 7])
      }
    )
  }

  @Test func `awaiting it computes it as well`() async throws {
    let log = EventLog<ObjectIdentifier>()
    let document = Document(log)
    #expect(try await document.$words.value == ["a", "b"])
    #expect(log.events.count == 1)
  }

  @Test func `setting it puts a value in the place of the work, but not for copies`() async {
    let log = EventLog<ObjectIdentifier>()
    var document = Document(log)
    let copy = document
    document.words = ["c"]
    #expect(document.words == ["c"])
    #expect(document.$words.result?.value == ["c"])
    #expect(log.events == [])
    let words = await onThread { copy.words }
    #expect(words == ["a", "b"])
  }

  @Test func `as a local variable`() async {
    let log = EventLog<String>()
    @Sendable func compute() -> Int {
      log.add("computed")
      return 7
    }
    @Lazy(label: "local") var value = compute()
    let box = _value
    log.add("declared")
    let values = await onThread { [box.wrappedValue, box.wrappedValue] }
    #expect(values == [7, 7])
    #expect(log.events == ["declared", "computed"])
    #expect($value.origin.label == "local")
    value = 8
    #expect(value == 8)
  }

  @Test func `an optional value may be nil, and is after a cancellation`() async {
    let log = EventLog<String>()
    @Sendable func compute(_ value: Int?) -> Int? {
      log.add("computed")
      return value
    }
    @Lazy var nothing = compute(nil)
    @Lazy var cancelled = compute(7)
    $cancelled.cancel()
    let (first, second) = (_nothing, _cancelled)
    let values = await onThread { [first.wrappedValue, first.wrappedValue, second.wrappedValue] }
    #expect(values == [nil, nil, nil])
    #expect(log.events == ["computed"])
  }

  @Test func `without a label it is called by the place of the variable`() {
    let line: UInt = #line + 1
    @Lazy var value = 7
    #expect($value.description == "ValueFuture<Int>(made at \(#fileID):\(line), pending)")
  }

  @Test(.exitTests) func `reading a cancelled one stops the program with a message`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @Lazy(label: "words") var value = 7
      $value.cancel(throwing: Reason("closed"))
      _ = value
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("the value of words was read, but there is none"))
    #expect(text.contains("closed"))
  }

  @Test(.exitTests) func `one that needs itself stops the program with a message that says so`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let holder = EventLog<Lazy<Int>>()
      holder.add(Lazy(wrappedValue: holder.events[0].wrappedValue + 1, label: "hen"))
      await onThread { _ = holder.events[0].wrappedValue }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("cycle"))
    #expect(text.contains("hen"))
  }
}
