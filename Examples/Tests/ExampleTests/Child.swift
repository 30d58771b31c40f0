// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

/// An executable of this package that runs as a process of its own.
struct Child {
  let process = Process()
  private let ended = Future(label: "end of the child")
  private let outputs: [URL]

  /// Starts it; what it writes goes to files.
  init(_ name: String, _ arguments: [String] = []) throws {
    outputs = ["out", "err"].map {
      FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString).\($0)")
    }
    process.executableURL = Self.products.appendingPathComponent(name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    for url in outputs { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    // Set before the start: a handler that is set after the end is never called.
    process.terminationHandler = { [ended] _ in ended.complete() }
    // The threads of Dispatch block most signals, and a child inherits that from the thread that starts it.
    var (none, mask) = (sigset_t(), sigset_t())
    // Safe: both sets live through the calls.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try process.run()
  }

  /// What it has written to its standard output so far.
  var output: String { (try? String(contentsOf: outputs[0], encoding: .utf8)) ?? "" }

  /// What it has written to its standard error so far.
  var errors: String { (try? String(contentsOf: outputs[1], encoding: .utf8)) ?? "" }

  /// Waits for its end.
  func end() async throws -> (status: Int32, output: String, errors: String) {
    try await ended.value
    let texts = try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for url in outputs { try FileManager.default.removeItem(at: url) }
    return (process.terminationStatus, texts[0], texts[1])
  }

  /// The folder with the executables: the one that holds the test bundle.
  private static var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
  }
}
