// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import Foundation
import FoundationNetworking
import Glibc
import LocalServer

extension Defect {
  static var loading: [Defect] {
    [
      Defect(
        name: "unclear-error",
        title: "A connection that is lost within a body is reported as `URLError.unknown`.",
        about: "Transfers/URLError+Clarified.swift",
        look: lookAtError
      ),
      Defect(
        name: "resumed-task",
        title: "A task that is suspended and resumed makes its request again.",
        about: "Transfers/TaskPause.swift",
        look: lookAtResumedTask
      ),
      Defect(
        name: "cancelled-task",
        title: "Cancelling a task while it ends stops the program.",
        about: "Transfers/URLSession+Transfer.swift",
        known: "[foundation #3296](https://github.com/swiftlang/swift-corelibs-foundation/issues/3296), open",
        crashes: true,
        look: lookAtCancelledTasks
      ),
      Defect(
        name: "cancelled-upload",
        title: "Cancelling the upload of a file stops the program.",
        about: "Files/FileStream.swift",
        crashes: true,
        look: lookAtCancelledUploads
      ),
    ]
  }
}

private func lookAtError() -> Finding {
  guard let server = Server(answer: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot a hundred bytes") else {
    return Finding(.unknown, "no server can be started")
  }
  let code = Answer<URLError.Code>()
  let done = DispatchSemaphore(value: 0)
  let task = URLSession(configuration: .ephemeral).dataTask(with: server.url) { _, _, error in
    code.value = (error as? URLError)?.code
    done.signal()
  }
  task.resume()
  guard done.wait(timeout: .now() + .seconds(20)) == .success else { return Finding(.unknown, "no answer in 20 s") }
  switch code.value {
  case .unknown: return Finding(.there, "the code is \(URLError.Code.unknown.rawValue)")
  case let code?: return Finding(.gone, "the code is \(code.rawValue)")
  case nil: return Finding(.unknown, "there was no error")
  }
}

private func lookAtResumedTask() -> Finding {
  guard let server = Server(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", then: "k", after: 1) else {
    return Finding(.unknown, "no server can be started")
  }
  let done = DispatchSemaphore(value: 0)
  let task = URLSession(configuration: .ephemeral).dataTask(with: server.url) { _, _, _ in done.signal() }
  task.resume()
  for _ in 0..<1_000 where server.requests == 0 { usleep(5_000) }
  usleep(300_000)
  task.suspend()
  task.resume()
  guard done.wait(timeout: .now() + .seconds(20)) == .success else { return Finding(.there, "it never ended") }
  let requests = server.requests
  return Finding(requests > 1 ? .there : .gone, "the server got \(requests) requests")
}

private func lookAtCancelledTasks() -> Finding {
  guard let server = Server(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok") else {
    return Finding(.unknown, "no server can be started")
  }
  let session = URLSession(configuration: .ephemeral)
  let end = ContinuousClock.now + .seconds(30)
  var random = SystemRandomNumberGenerator()
  var tasks = 0
  while ContinuousClock.now < end {
    let done = DispatchSemaphore(value: 0)
    let task = session.dataTask(with: server.url) { _, _, _ in done.signal() }
    task.resume()
    usleep(.random(in: 0...1_500, using: &random))
    task.cancel()
    guard done.wait(timeout: .now() + .seconds(10)) == .success else {
      return Finding(.there, "task \(tasks + 1) was never told to have ended")
    }
    tasks += 1
  }
  return Finding(.unseen, "\(tasks) tasks were cancelled near their ends")
}

/// Cancels each task when it has sent so many bytes.
private final class Canceller: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  let done = DispatchSemaphore(value: 0)
  /// Set before a task is started.
  var limit: Int64 = 0

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    if totalBytesSent > limit { task.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    done.signal()
  }
}

private func lookAtCancelledUploads() -> Finding {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).upload")
  defer { try? FileManager.default.removeItem(at: file) }
  guard let server = Server(answer: "", readsOn: true),
    (try? Data(count: 3_000_000).write(to: file)) != nil
  else { return Finding(.unknown, "no server can be started, or no file written") }
  let canceller = Canceller()
  let configuration = URLSessionConfiguration.ephemeral
  configuration.urlCache = nil
  let session = URLSession(configuration: configuration, delegate: canceller, delegateQueue: nil)
  var request = URLRequest(url: server.url)
  request.httpMethod = "POST"
  for number in 0..<400 {
    canceller.limit = Int64(number % 80 * 30_000)
    session.uploadTask(with: request, fromFile: file).resume()
    guard canceller.done.wait(timeout: .now() + 10) == .success else {
      return Finding(.unknown, "upload \(number + 1) didn't end in 10 s")
    }
  }
  return Finding(.unseen, "400 uploads were cancelled")
}
