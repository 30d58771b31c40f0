// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization
import TestSupport

/// An HTTP server on the loopback interface that does with each connection what a test wants, be it by the rules or not.
///
/// Plain sockets, blocking, on threads of their own: what it does is not at the mercy of what is tested.
final class TestServer: Sendable {
  let port: UInt16
  private let socket: Int32
  private let accepted = Atomic(0)

  /// Starts a server; each connection is handled on a thread of its own, and closed when the handler returns.
  ///
  /// If it isn't `reading`, nothing is known of the request.
  init(reading isReading: Bool = true, _ handle: @escaping @Sendable (Connection) -> Void) {
    socket = openSocket()
    port = portOfSocket(socket)
    startThread { [self] in
      while true {
        let connection = accept(socket, nil, nil)
        if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard connection >= 0 else { break }
        accepted.add(1, ordering: .relaxed)
        startThread {
          let connection = Connection(connection)
          if !isReading || connection.readRequest() { handle(connection) }
          connection.close()
        }
      }
      close(socket)
    }
  }

  /// How many connections there have been.
  var connectionCount: Int { accepted.load(ordering: .relaxed) }

  func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)").unsafelyPresent }

  /// Accepts no more connections.
  func stop() { shutdown(socket, Int32(SHUT_RDWR)) }
}

extension Optional {
  /// The value; a test that has made a mistake stops here.
  fileprivate var unsafelyPresent: Wrapped {
    guard let self else { fatalError("no value") }
    return self
  }
}

extension Data {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count) == Data(text.utf8) }
}

/// One request, and how it is answered: used by the thread of the connection only.
final class Connection {
  private let socket: Int32
  private(set) var method = ""
  private(set) var path = ""
  private(set) var headers: [String: String] = [:]
  /// The body; with its chunks as they came, if it is chunked.
  private(set) var body = Data()

  fileprivate init(_ socket: Int32) { self.socket = socket }

  /// The number at the end of the path.
  var number: Int { Int(path.split(separator: "/").last ?? "") ?? 0 }

  /// Sends bytes; false if the other side has gone.
  @discardableResult
  func send(_ data: Data) -> Bool {
    var sent = 0
    while sent < data.count {
      // Safe: the bytes live through the call.
      let count = unsafe data.withUnsafeBytes { bytes in
        unsafe Foundation.send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, noSignal)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  /// Sends the head of a response.
  @discardableResult
  func sendHead(_ status: Int = 200, length: Int?, _ headers: String...) -> Bool {
    let lines = ["HTTP/1.1 \(status) Status", "Connection: close"] + (length.map { ["Content-Length: \($0)"] } ?? [])
    return send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// Sends a whole response.
  @discardableResult
  func respond(_ status: Int = 200, _ body: Data = Data(), _ headers: String...) -> Bool {
    var head = "HTTP/1.1 \(status) Status\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
    for header in headers { head += header + "\r\n" }
    return send(Data((head + "\r\n").utf8) + (method == "HEAD" ? Data() : body))
  }

  /// Waits until the other side has closed the connection.
  func waitForHangUp() {
    while readSome() != nil {}
  }

  /// Reads a request; false if there is none.
  @discardableResult
  func readRequest() -> Bool {
    var received = Data()
    let end = Data("\r\n\r\n".utf8)
    var head = received.range(of: end)
    while head == nil {
      guard let data = readSome() else { return false }
      received += data
      head = received.range(of: end)
    }
    guard let head else { return false }
    let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return false }
    (method, path) = (words[0], words[1])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
    }
    if headers["expect"] != nil { send("HTTP/1.1 100 Continue\r\n\r\n") }
    body = received[head.upperBound...]
    let isChunked = headers["transfer-encoding"] == "chunked"
    while isChunked ? !body.ends(with: "0\r\n\r\n") : body.count < Int(headers["content-length"] ?? "") ?? 0 {
      guard let data = readSome() else { return false }
      body += data
    }
    return true
  }

  private func readSome() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    // Safe: the buffer lives through the call, which writes no more than its size.
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  fileprivate func close() { _ = Foundation.close(socket) }
}

#if canImport(Darwin)
  private let noSignal: Int32 = 0
  private let stream = SOCK_STREAM
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
  private let stream = Int32(SOCK_STREAM.rawValue)
#endif

/// A socket that listens at a free port.
private func openSocket() -> Int32 {
  let listener = socket(AF_INET, stream, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  // Safe: a `sockaddr_in` is a `sockaddr`, and lives through the call.
  let isBound = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      unsafe bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
  guard isBound, listen(listener, 1000) == 0 else { fatalError("no port for a test server") }
  return listener
}

private func portOfSocket(_ socket: Int32) -> UInt16 {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  // Safe: as above.
  _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      unsafe getsockname(socket, pointer, &size)
    }
  }
  return UInt16(bigEndian: address.sin_port)
}
