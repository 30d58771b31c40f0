// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

@testable import programs

/// The fifth program: a test suite for two of the others.
struct ProgramTests {
  struct Broken: Error {}

  @Test func `an image is loaded once for two views, of which one goes`() async throws {
    let (loads, mayEnd) = (EventLog<String>(), Future())
    let loader = ImageLoader { name in
      loads.add(name)
      try await mayEnd.value
      return "picture of \(name)"
    }
    let (first, second) = (loader.image("cat"), loader.image("cat"))
    first.cancel()
    mayEnd.complete()
    #expect(try await second.value == "picture of cat")
    #expect(try await loader.image("cat").value == "picture of cat")
    #expect(loads.events == ["cat"])
    try await loader.close()
  }

  @Test func `an image that can't be loaded is tried again, and no pause takes time`() async throws {
    try await withManualControl { control in
      let loads = EventLog<String>()
      let loader = ImageLoader { name -> String in
        loads.add(name)
        if loads.events.count < 3 { throw Broken() }
        return name
      }
      let image = loader.image("cat")
      try await eventually("it is there") {
        control.clock.advance(by: .milliseconds(4))
        control.runAll()
        return image.isCompleted
      }
      #expect(try image.result?.get() == "cat" && loads.events.count == 3)
      try await eventually("all is over") {
        control.runAll()
        return loader.downloads.count == 0
      }
    }
  }

  @Test func `a question without an answer is stopped at its limit`() async throws {
    try await withManualControl { control in
      let (isAsked, isStopped) = (Variable(false), Variable(false))
      let (callbacks, answers) = (EventLog<SocketClient<String>.Callback>(), EventLog<any Error>())
      let client = SocketClient<String> { _, callback in
        // The socket never calls back, and keeps the callback.
        callbacks.add(callback)
        isAsked.value = true
        return { isStopped.value = true }
      }
      client.ask("why", within: .seconds(5)) { result in
        if case .failure(let error) = result { answers.add(error) }
      }
      try await eventually("it is asked") {
        control.runAll()
        return isAsked.value
      }
      control.clock.advance(by: .seconds(5))
      try await eventually("it is over") {
        control.runAll()
        return client.calls.count == 0
      }
      #expect(answers.events.count == 1 && answers.events.first is TimeoutError && isStopped.value)
    }
  }

  @Test func `a question is answered once in every order of an answer and a cancellation`() async {
    await exploreTasks("answer against cancellation") { scenario in
      let answers = Variable(0)
      let client = SocketClient<String> { _, callback in
        Task { callback("because", nil) }
        return {}
      }
      let call = client.ask("why", within: .seconds(3_600)) { _ in answers.value += 1 }
      call.cancel()
      await client.calls.drain()
      _ = await call.handlersFinished
      scenario.check(answers.value == 1, "answered \(answers.value) times")
    }
  }
}
