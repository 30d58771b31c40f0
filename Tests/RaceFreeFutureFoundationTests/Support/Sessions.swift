// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sessions of the tests: with and without a delegate that hands on pieces, for ever.
enum Sessions: CaseIterable {
  case plain
  case transferring

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 1000
    // A test may have to wait for its turn among a thousand others while the server says nothing.
    configuration.timeoutIntervalForRequest = 3_600
    return configuration
  }
  private static let plainSession = Sessions.plain.makeSession()
  private static let transferringSession = Sessions.transferring.makeSession()

  /// The session that the tests share.
  var session: URLSession {
    switch self {
    case .plain: Self.plainSession
    case .transferring: Self.transferringSession
    }
  }

  /// Makes a session that nobody else has, all of whose requests are answered by the given class if there is one.
  func makeSession(
    loading loader: URLProtocol.Type? = nil,
    _ configure: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let configuration = Self.configuration
    if let loader { configuration.protocolClasses = [loader] }
    configure(configuration)
    return switch self {
    case .plain: URLSession(configuration: configuration)
    case .transferring: .withTransferDelegate(configuration: configuration)
    }
  }

  /// Makes a plain session with a delegate.
  func makeSession(asking delegate: any URLSessionDelegate) -> URLSession {
    URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Those in which pieces of a body are handed on as they come.
  static let tellingPieces = allCases.filter(\.tellsPieces)

  /// Whether pieces of a body are handed on as they come.
  var tellsPieces: Bool {
    #if canImport(FoundationNetworking)
      self == .transferring
    #else
      true
    #endif
  }
}

extension URLSession {
  /// The tasks that are under way.
  ///
  /// Only while no task begins or ends: FoundationNetworking reads its list without its lock, and stops the program.
  func tasks() async -> [URLSessionTask] {
    await withCheckedContinuation { continuation in getAllTasks { continuation.resume(returning: $0) } }
  }

  /// Returns when the delegate has been called with everything that the session had to report before.
  func hasReported() async {
    await withCheckedContinuation { continuation in delegateQueue.addOperation { continuation.resume() } }
  }
}

extension CancellableWork {
  /// Returns when the session has reported the end of a transfer's task, even if the transfer isn't resolved.
  func taskIsOver() async {
    while true {
      do {
        return try await drain(within: .zero)
      } catch let error as DrainError {
        guard error.remaining.contains(where: { $0.kind == .activity("request") }) else { return }
      } catch {
        Issue.record(error)
        return
      }
      await Task.yield()
    }
  }
}

extension URLSessionTask {
  /// Suspends the task, and returns when that has taken effect: FoundationNetworking stops the program ("fatal error")
  /// when the end comes in between.
  func suspendAndWait() {
    suspend()
    _ = priority
  }
}

/// The code of an error of a session.
func code(_ error: (any Error)?) -> URLError.Code? { (error as? URLError)?.code }

/// The code of the system's error behind an error of Foundation.
func systemCode(_ error: CocoaError?) -> Int32? {
  (error?.underlying as? NSError).map { Int32($0.code) }
}

/// The status of a response.
func status(_ response: URLResponse?) -> Int? { (response as? HTTPURLResponse)?.statusCode }

/// A body of the given size, in which the parts are not alike.
func body(of size: Int) -> Data {
  var data = Data(capacity: size + 16)
  while data.count < size { data += Data("\(data.count),".utf8) + Data(repeating: 42, count: min(1000, size)) }
  return data.prefix(size)
}

#if canImport(FoundationNetworking)
  /// Knows a password for everything.
  final class OnePassword: URLCredentialStorage, @unchecked Sendable {  // has no state of its own
    override func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
      URLCredential(user: "me", password: "x", persistence: .forSession)
    }
  }
#endif
