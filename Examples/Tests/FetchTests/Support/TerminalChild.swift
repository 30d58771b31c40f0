// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting

/// An executable of this package that runs at a terminal of its own.
struct TerminalChild {
  private let process = Process()
  private let ended = Future(label: "end of the child")
  private let terminal: FileHandle
  /// What it has written, piece by piece, and at last nil.
  private let pieces = EventLog<Data?>("what the child has written")

  /// Starts it.
  ///
  /// With `isHeld` the terminal accepts no output, as after Ctrl-S: the program stops at its first write.
  init(
    _ name: String,
    _ arguments: [String],
    columns: Int = 80,
    _ environment: [String: String] = [:],
    isHeld: Bool = false
  ) throws {
    let (own, theirs) = try openTerminal(columns: UInt16(columns))
    terminal = FileHandle(fileDescriptor: own, closeOnDealloc: true)
    if isHeld { try terminal.write(contentsOf: Data([0x13])) }
    let end = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.executableURL = Child.products.appendingPathComponent(name)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(environment) { $1 }
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    process.terminationHandler = { [ended] _ in ended.complete() }
    try process.runWithoutSignalMask()
    try end.close()
    Thread.detachNewThread { [terminal, pieces] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        // Safe: the buffer lives through the call, which writes no more than its size.
        let count = unsafe read(terminal.fileDescriptor, &buffer, buffer.count)
        // When nobody has the other end any more, it fails.
        guard count > 0 else { return pieces.add(nil) }
        pieces.add(Data(buffer[..<count]))
      }
    }
  }

  /// Its number.
  var identifier: Int32 { process.processIdentifier }

  /// Presses keys.
  func type(_ keys: String) throws { try terminal.write(contentsOf: Data(keys.utf8)) }

  /// Sends the signal of Ctrl-C.
  func interrupt() { kill(process.processIdentifier, SIGINT) }

  /// Waits until what it has written is as it ought to be, and returns all of it.
  @discardableResult
  func wait(until expectation: String, _ condition: @escaping @Sendable (String) -> Bool) async throws -> String {
    let pieces = try await pieces.wait(until: expectation, within: .seconds(900)) { condition(Self.text($0)) }
    return Self.text(pieces)
  }

  /// Waits for its end; the status after a signal is that which a shell reports.
  func end() async throws -> (status: Int32, output: String) {
    try await ended.value
    let pieces = try await pieces.wait(until: "the child is gone", within: .seconds(900)) { $0.contains(nil) }
    let status = process.terminationStatus
    return (process.terminationReason == .uncaughtSignal ? 128 + status : status, Self.text(pieces))
  }

  private static func text(_ pieces: [Data?]) -> String {
    String(decoding: pieces.reduce(into: Data()) { $0 += $1 ?? Data() }, as: UTF8.self)
  }
}

/// Makes a terminal: the descriptors of its own end, and of the one for a program.
private func openTerminal(columns: UInt16) throws -> (own: Int32, theirs: Int32) {
  typealias OpenPTY =
    @convention(c) (
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?, UnsafeRawPointer?,
      UnsafeMutablePointer<winsize>?
    ) -> Int32
  var (own, theirs): (Int32, Int32) = (-1, -1)
  var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  // Safe: it is the function's type in C, which Swift doesn't import on Linux, and all variables live through the call.
  guard let function = unsafe dlsym(dlopen(nil, RTLD_NOW), "openpty"),
    unsafe unsafeBitCast(function, to: OpenPTY.self)(&own, &theirs, nil, nil, &size) == 0
  else { throw POSIXError(.ENXIO) }
  // A descriptor that the child inherited would keep the terminal open.
  for descriptor in [own, theirs] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  return (own, theirs)
}
