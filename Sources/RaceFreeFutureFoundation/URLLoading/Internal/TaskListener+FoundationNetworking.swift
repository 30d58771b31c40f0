// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking

  extension TaskListener {
    /// Whether another response may follow, which is the one that counts: the answer to a password.
    func isPreliminary(_ response: URLResponse) -> Bool { (response as? HTTPURLResponse)?.statusCode == 401 }

    /// Everything has come at once, in a session without a ``TransferDelegate``.
    func end(_ request: URLRequest, sent: Int64?, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
      stops()
      do {
        if let response, let data, error == nil, isWanted {
          if let sent { transfer.send(sent, of: sent) }
          try begin(with: response, to: request)
          try receive(data)
        }
        end(response, error)
      } catch {
        end(nil, error)
      }
    }

    /// A response points elsewhere; the session's own delegate may object.
    ///
    /// FoundationNetworking stops the program ("received callback for HTTP redirection, but we're not waiting for it")
    /// when a task that has been cancelled is told where to go. So it is told on the delegate queue, because tasks are
    /// cancelled there. One that is suspended has to be told, too: it goes there when it is resumed.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let answer = { @Sendable [self] (request: URLRequest?) in
        let tell = BlockOperation {
          guard !self.isStopped, [.running, .suspended].contains(task.state) else { return }
          // A task that runs into its time-out while it waits for this answer gets the response, and tells nobody.
          guard task.response !== response else {
            self.end(nil, URLError(.timedOut))
            return session.stop(task, self)
          }
          completionHandler(request)
        }
        session.delegateQueue.addOperation(tell)
      }
      guard let delegate = session.usersDelegate else { return answer(request) }
      delegate.urlSession(
        session,
        task: task,
        willPerformHTTPRedirection: response,
        newRequest: request,
        completionHandler: answer
      )
    }

    /// The server wants to know who asks.
    ///
    /// The session's own delegate may know. If nobody does, FoundationNetworking up to 6.3 leaves the task as it is, for
    /// ever; here, as on other platforms, what the server has said so far is the response.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let response = challenge.failureResponse
      let isKnown = challenge.proposedCredential != nil
      let answer = { @Sendable [self] (answer: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        guard answer == .performDefaultHandling, !isKnown, let response else {
          return completionHandler(answer, credential)
        }
        end(response, nil)
        session.stop(task, self)
      }
      guard let delegate = session.usersDelegate else { return answer(.performDefaultHandling, nil) }
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
    }

    /// What the user gets of an error of a session.
    func clarified(_ error: any Error) -> any Error { (error as? URLError)?.clarified ?? error }
  }

  extension URLSession {
    /// The session's delegate, if a user has given it one.
    fileprivate var usersDelegate: (any URLSessionTaskDelegate)? {
      delegate is TransferDelegate ? nil : delegate as? any URLSessionTaskDelegate
    }
  }
#endif
