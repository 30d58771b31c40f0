// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// A server on this machine that gives each connection the same answer, and closes it.
package final class Server: Sendable {
  package let url: URL
  private let count = Atomic(0)

  /// How many requests have come; relaxed, since nothing else is read by it.
  package var requests: Int { count.load(ordering: .relaxed) }

  /// Starts it; it stays for as long as the program.
  ///
  /// - Parameters:
  ///   - answer: What is sent at once.
  ///   - rest: What is sent later.
  ///   - seconds: How much later.
  ///   - readsOn: True to read until the other side closes the connection.
  package init?(answer: String, then rest: String = "", after seconds: UInt32 = 0, readsOn: Bool = false) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 100) == 0 && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else { return nil }
    self.url = url
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { [self] in
          var request = [UInt8](repeating: 0, count: 4_096)
          if read(connection, &request, request.count) > 0 {
            count.add(1, ordering: .relaxed)
            write(connection, answer, answer.utf8.count)
            if !rest.isEmpty {
              sleep(seconds)
              write(connection, rest, rest.utf8.count)
            }
            while readsOn, read(connection, &request, request.count) > 0 {}
          }
          close(connection)
        }
      }
    }
  }
}
