// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

// One at a time: its work blocks threads of the shared pool, of which there are few.
@Suite(.serialized) struct ImplicitTests {
  private struct File: Sendable {
    var name: String
    var size: Int
  }

  @Test func `it has the value and its properties`() async {
    let file = Implicit(ValueFuture.completed(with: File(name: "a.txt", size: 7)))
    #expect(file.value.name == "a.txt")
    #expect(file.name == "a.txt")
    #expect(file.size == 7)
    #expect(file.name.count == 5)
  }

  @Test func `asking for a property waits for the value`() async {
    let future = ValueFuture<File>()
    let ready = Gate("about to read")
    startThread {
      ready.wait()
      future.complete(with: File(name: "a.txt", size: 7))
    }
    let size = await onThread {
      ready.open()
      return Implicit(future).size
    }
    #expect(size == 7)
  }

  @Test func `only what is asked for is computed, once, on the thread that asks`() async {
    let log = EventLog<ObjectIdentifier>()
    let files = ["a", "b"].map { name in
      Implicit(
        ValueFuture<File>.lazy { _ in
          log.add(ObjectIdentifier(Thread.current))
          return File(name: name, size: name.count)
        }
      )
    }
    let isHere = await onThread {
      files[0].size == 1 && files[0].value.size == 1 && log.events == [ObjectIdentifier(Thread.current)]
    }
    #expect(isHere)
    #expect(files[1].future.isPending)
  }

  @Test func `its future is the one that it was made of`() {
    let future = ValueFuture<Int>()
    #expect(Implicit(future).future == future)
  }

  @Test func `an optional value may be nil`() {
    #expect(Implicit(ValueFuture<Int?>.completed(with: nil)).value == nil)
    #expect(Implicit(ValueFuture<Int?>.completed(with: 7)).value == 7)
  }

  @Test func `an optional value that will never be there is nil`() async {
    let failed = Implicit(ValueFuture<Int?>.completed(throwing: Reason("broken")))
    #expect(failed.value == nil)
    let cancelled = Implicit(ValueFuture<File?>())
    cancelled.future.cancel()
    #expect(cancelled.value == nil)
    let future = ValueFuture<Int?>()
    let ready = Gate("about to read")
    startThread {
      ready.wait()
      future.cancel()
    }
    let isNil = await onThread {
      ready.open()
      return Implicit(future).value == nil
    }
    #expect(isNil)
  }

  @Test func `of an optional in an optional the outer one is nil`() {
    let cancelled = Implicit(ValueFuture<Int??>())
    cancelled.future.cancel()
    #expect(cancelled.value == .none)
    #expect(cancelled.value != .some(.none))
  }

  @Test(.exitTests) func `reading any other value that was cancelled stops the program with name and reason`()
    async throws
  {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let future = ValueFuture<Int>(label: "the file")
      future.cancel(throwing: Reason("no more time"))
      _ = Implicit(future).value
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("the value of the file was read, but there is none"))
    #expect(text.contains("no more time"))
  }

  @Test(.exitTests) func `reading a property of a value that failed stops the program with place and error`()
    async throws
  {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Implicit(ValueFuture<String>.completed(throwing: Reason("broken"))).count
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("ImplicitTests.swift"))
    #expect(text.contains("was read, but there is none"))
    #expect(text.contains("broken"))
  }
}
