// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of one task: tells its transfer.
final class TaskListener: NSObject, URLSessionDataDelegate, Sendable {
  private let transfer: any Transfer

  init(_ transfer: any Transfer) {
    self.transfer = transfer
    super.init()
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    attempt(session, dataTask) { try transfer.begin(with: response) }
    // Not `.cancel` if it threw: that isn't heeded everywhere.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    attempt(session, dataTask) { try transfer.receive(data) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    transfer.send(totalBytesSent, of: totalBytesExpectedToSend)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task.response, error)
  }

  private func end(_ response: URLResponse?, _ error: (any Error)?) {
    if let response, error == nil {
      transfer.end(with: response)
    } else {
      transfer.fail(with: error ?? URLError(.badServerResponse))
    }
  }

  /// Lets the transfer do what it may give up at; then there is no more use for the task.
  private func attempt(_ session: URLSession, _ task: URLSessionTask, _ body: () throws -> Void) {
    guard transfer.future.isPending else { return }
    do {
      try body()
    } catch {
      transfer.fail(with: error)
      session.stop(task)
    }
  }
}

#if canImport(FoundationNetworking)
  extension TaskListener {
    /// Everything has come at once, without a delegate.
    func end(sent: Int64?, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
      do {
        if let response, let data, error == nil, transfer.future.isPending {
          if let sent { transfer.send(sent, of: sent) }
          try transfer.begin(with: response)
          try transfer.receive(data)
        }
        end(response, error)
      } catch {
        transfer.fail(with: error)
      }
    }

    /// A response points elsewhere; the session's own delegate may object.
    ///
    /// A task that has been cancelled meanwhile isn't told where to go: FoundationNetworking would stop the program
    /// ("received callback for HTTP redirection, but we're not waiting for it"). Told on the delegate queue, because
    /// tasks are cancelled there.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let answer = { @Sendable (request: URLRequest?) in
        session.delegateQueue.addOperation {
          if task.state == .running { completionHandler(request) }
        }
      }
      if let delegate = session.delegate as? any URLSessionTaskDelegate, !(delegate is TransferDelegate) {
        delegate.urlSession(
          session,
          task: task,
          willPerformHTTPRedirection: response,
          newRequest: request,
          completionHandler: answer
        )
      } else {
        answer(request)
      }
    }

    /// The server wants to know who asks.
    ///
    /// The session's own delegate may know. If nobody does, FoundationNetworking would leave the task as it is, for ever;
    /// here, as on other platforms, what the server has said so far is the response.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let response = challenge.failureResponse
      let isKnown = challenge.proposedCredential != nil
      let answer = { @Sendable [transfer] (answer: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        guard answer == .performDefaultHandling, !isKnown, let response else {
          return completionHandler(answer, credential)
        }
        transfer.end(with: response)
        session.stop(task)
      }
      if let delegate = session.delegate as? any URLSessionTaskDelegate, !(delegate is TransferDelegate) {
        delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
      } else {
        answer(.performDefaultHandling, nil)
      }
    }
  }
#endif
