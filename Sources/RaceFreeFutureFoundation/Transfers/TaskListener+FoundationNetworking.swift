// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking

  extension TaskListener {
    /// True if another response may follow, which is the one that counts: the answer to a password.
    func isPreliminary(_ response: URLResponse) -> Bool { (response as? HTTPURLResponse)?.statusCode == 401 }

    /// Receives everything at once, in a session without a ``TransferDelegate``.
    func end(_ request: URLRequest, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
      stops()
      defer { taskHasEnded() }
      do {
        if let response, let data, error == nil, isWanted {
          if let sent = payload.length { transfer.send(sent, of: sent) }
          try begin(with: response, to: request)
          try receive(data)
        }
        end(response, error)
      } catch {
        end(nil, error)
      }
    }

    /// Handles a redirect; the session's own delegate may object.
    ///
    /// FoundationNetworking stops the program ("received callback for HTTP redirection, but we're not waiting for it")
    /// when a cancelled task gets the new request. So the answer is given on the delegate queue, because tasks are
    /// cancelled there. A suspended task needs the answer, too: it follows the redirect when it is resumed.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      var request = request
      request.url = response.redirectTarget ?? request.url
      request = request.redirected(from: response.url, by: session.configuration)
      let answer = { @Sendable [self] (request: URLRequest?) in
        let tell = BlockOperation {
          guard !self.isStopped, [.running, .suspended].contains(task.state) else { return }
          // A task that runs into its timeout while it waits for this answer gets the response, and calls no delegate.
          guard task.response !== response else {
            self.end(nil, URLError(.timedOut))
            return session.stop(task, self)
          }
          completionHandler(self.follow(request, in: session))
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

    /// Returns the request that the task is to make; nil if it is to end.
    ///
    /// FoundationNetworking drops the payload of a task that is redirected, and a task that has given a password makes its
    /// first request again, not the new one. In both cases another task makes that, and this one ends unnoticed, with
    /// the redirect as its response.
    private func follow(_ request: URLRequest?, in session: URLSession) -> URLRequest? {
      do {
        guard let request else { return nil }
        let payload = try payload.repeated(for: request)
        let next = payload == nil && self.payload.isFile ? request.sendingNothing : request
        if payload == nil, takes(.redirect) { return next }
        // It ends by itself.
        stops()
        try replace(by: next, payload ?? .ofRequest, in: session)
      } catch {
        stops()
        end(nil, error)
      }
      return nil
    }

    /// Lets another task make a request, unless this one has ended before.
    private func replace(by request: URLRequest, _ payload: Payload, in session: URLSession) throws {
      // As many as FoundationNetworking allows.
      guard redirects < 20 else { throw URLError(.httpTooManyRedirects) }
      guard isReplaced() else { return }
      session.makeRequest(request, payload, for: transfer, bodyLimit: bodyLimit, redirects: redirects + 1)
    }

    /// Gives a file once more, when its request is sent again over another connection.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      guard payload.isFile else {
        guard let delegate = session.usersDelegate else { return completionHandler(nil) }
        return delegate.urlSession(session, task: task, needNewBodyStream: completionHandler)
      }
      completionHandler(task.originalRequest?.httpBodyStream)
    }

    /// Handles an authentication challenge.
    ///
    /// The session's own delegate may have credentials. If there are none, FoundationNetworking up to 6.3 lets the task
    /// wait forever; here, as on other platforms, the challenge itself is the response.
    ///
    /// With a password FoundationNetworking makes the first request of the task again, wherever the task was redirected
    /// since: that server would get it. So another task makes the request that was answered, and is challenged itself.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let response = challenge.failureResponse
      let isKnown = challenge.proposedCredential != nil
      let delegate = session.usersDelegate
      if isKnown || delegate != nil, !takes(.password), let request = task.currentRequest {
        do { try replace(by: request, .ofRequest, in: session) } catch { end(nil, error) }
        return session.stop(task, self)
      }
      let answer = { @Sendable [self] (answer: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        guard answer == .performDefaultHandling, !isKnown, let response else {
          return completionHandler(answer, credential)
        }
        end(response, nil)
        session.stop(task, self)
      }
      guard let delegate else { return answer(.performDefaultHandling, nil) }
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
    }

    /// Returns the error that the user gets for an error of a session.
    func clarified(_ error: any Error) -> any Error { (error as? URLError)?.clarified ?? error }
  }

  extension URLSession {
    /// The session's delegate, if a user has set one.
    fileprivate var usersDelegate: (any URLSessionTaskDelegate)? {
      delegate is TransferDelegate ? nil : delegate as? any URLSessionTaskDelegate
    }
  }
#endif
