// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Question {
  static var loading: Question {
    let peer = "URLSession.data(for:)"
    return Question(
      name: "loading",
      asks: "What does a request cost that ends in a future, beside one by the `async` function of the session?",
      rows: [
        Row("dataFuture, one after the other, loopback", against: peer) {
          let site = Site()
          return Sides(ours: futures(site, plain), peer: functions(site))
        },
        Row("dataFuture in a session with a TransferDelegate, one after the other, loopback", against: peer) {
          let site = Site()
          return Sides(ours: futures(site, transferring), peer: functions(site))
        },
      ]
    )
  }
}

// Both sides wait in a task, so that what they have in common is the same.

private let configuration = {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.urlCache = nil
  return configuration
}()
private let plain = URLSession(configuration: configuration)
private let transferring = URLSession.withTransferDelegate(configuration: configuration)

private func futures(_ site: Site, _ session: URLSession) -> Sides.Side {
  { count in
    inTask {
      for _ in 0..<count { blackHole(try await session.dataFuture(for: site.request).value) }
    }
  }
}

private func functions(_ site: Site) -> Sides.Side {
  { count in
    inTask {
      for _ in 0..<count { blackHole(try await plain.data(for: site.request)) }
    }
  }
}

/// Times a task from its start to its end.
private func inTask(_ body: @escaping @Sendable () async throws -> Void) -> Duration {
  timedWithOthers {
    let done = DispatchSemaphore(value: 0)
    Task {
      do {
        try await body()
      } catch {
        fatalError("the loopback server doesn't answer: \(error)")
      }
      done.signal()
    }
    done.wait()
  }
}

/// A server on the loopback interface that answers every request with the same few bytes.
///
/// Each connection has a thread.
private final class Site: Sendable {
  let request: URLRequest
  private let listener: Int32

  init() {
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Safe: a `sockaddr_in` is a `sockaddr`, and lives through both calls.
    let isReady = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, size) == 0 && listen(listener, 100) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isReady, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      fatalError("no port for the server")
    }
    request = URLRequest(url: url)
    self.listener = listener
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread { answer(connection) }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// Answers one request after the other until the other side hangs up; a request fits into one packet.
private func answer(_ connection: Int32) {
  let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
  var buffer = [UInt8](repeating: 0, count: 4096)
  // Safe: both arrays live through the calls, which use no more than their sizes.
  while unsafe recv(connection, &buffer, buffer.count, 0) > 0 {
    guard unsafe send(connection, response, response.count, 0) == response.count else { break }
  }
  close(connection)
}
