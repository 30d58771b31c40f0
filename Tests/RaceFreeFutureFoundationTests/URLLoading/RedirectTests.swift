// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Is asked where redirects lead, and lets the test answer.
private final class Asked: NSObject, URLSessionTaskDelegate, Sendable {
  struct Question: Sendable {
    let task: URLSessionTask
    let request: URLRequest
    let answer: @Sendable (URLRequest?) -> Void
  }

  let questions = EventLog<Question>()

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    questions.add(Question(task: task, request: request, answer: completionHandler))
  }
}

@Suite struct `Redirects` {
  private static func makeServer() -> TestServer {
    TestServer { connection in
      if connection.path == "/end" {
        connection.respond(200, Data("there".utf8))
      } else {
        connection.respond(302, Data("moved".utf8), "Location: /end")
      }
    }
  }

  private func makeSession(_ delegate: Asked, timeout: TimeInterval = 3_600) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test func `are refused by the session's delegate, and are the response then`() async throws {
    let server = Self.makeServer()
    defer { server.stop() }
    let delegate = Asked()
    let future = makeSession(delegate).dataFuture(from: server.url("/start"))
    try await delegate.questions.wait(for: 1)
    delegate.questions.events.first?.answer(nil)
    #expect(try await status(future.value.1) == 302)
  }

  @Test func `of a task that is suspended while it waits for the answer lead there when it is resumed`() async throws {
    let server = Self.makeServer()
    defer { server.stop() }
    let delegate = Asked()
    let future = makeSession(delegate).dataFuture(from: server.url("/start"))
    let question = try #require(await delegate.questions.wait(for: 1).first)
    question.task.suspendAndWait()
    question.answer(question.request)
    question.task.resume()
    try await eventually("the suspended task has ended") { !future.isPending }
    #expect(try await future.value.0 == Data("there".utf8))
  }

  @Test(arguments: Sessions.allCases, [true, false])
  func `of a task that is suspended before it is told lead there`(sessions: Sessions, isResumedFirst: Bool) async throws
  {
    let (isAsked, mayAnswer, mayTell) = (Gate("asked"), Gate("may answer"), Gate("may tell"))
    let server = TestServer { connection in
      if connection.path == "/end" { return _ = connection.respond(200, Data("there".utf8)) }
      isAsked.open()
      mayAnswer.wait()
      connection.respond(302, Data("moved".utf8), "Location: /end")
    }
    defer { server.stop() }
    let session = sessions.makeSession()
    let future = session.dataFuture(from: server.url("/start"))
    await isAsked.passed()
    let tasks = await session.tasks()
    session.delegateQueue.addOperation { mayTell.wait() }
    mayAnswer.open()
    #if canImport(FoundationNetworking)
      try await eventually("the redirect is queued behind the gate") { session.delegateQueue.operationCount > 1 }
    #endif
    for task in tasks { task.suspendAndWait() }
    if isResumedFirst { for task in tasks { task.resume() } }
    mayTell.open()
    // On the same queue: so the redirect has been reported.
    await session.hasReported()
    if !isResumedFirst { for task in tasks { task.resume() } }
    try await eventually("the suspended task has ended") { !future.isPending }
    #expect(try await future.value.0 == Data("there".utf8))
  }

  #if canImport(FoundationNetworking)
    /// FoundationNetworking ends the task then, and would stop the program at the answer.
    @Test func `that are answered after the timeout are a failure`() async throws {
      let server = Self.makeServer()
      defer { server.stop() }
      let delegate = Asked()
      let future = makeSession(delegate, timeout: 1).dataFuture(from: server.url("/start"))
      let question = try #require(await delegate.questions.wait(for: 1).first)
      try await eventually("the task has run into its timeout") { question.task.response != nil }
      question.answer(question.request)
      await #expect(throws: URLError.self) { try await future.value }
      #expect(code(future.result?.error) == .timedOut)
      // The task comes to its end, too.
      await future.drain()
    }
  #endif
}
