// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

/// An executable of this package that runs as a process of its own.
struct Child {
  let process = Process()
  private let ended = Future(label: "end of the child")
  private let outputs: [URL]

  /// Starts it, with more variables in its environment; what it writes goes to files in the folder, or standard output to
  /// another one.
  init(
    _ name: String,
    _ arguments: [String],
    in folder: URL,
    columns: Int? = nil,
    _ environment: [String: String] = [:],
    output: String? = nil
  ) throws {
    outputs = ["out", "err"].map { folder.appendingPathComponent("child-\(UUID().uuidString).\($0)") }
    process.executableURL = Self.products.appendingPathComponent(name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let more = environment.merging(columns.map { ["COLUMNS": "\($0)"] } ?? [:]) { $1 }
    process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
    for url in outputs { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: output.map { URL(fileURLWithPath: $0) } ?? outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    // Set before the start: a handler that is set after the end is never called.
    process.terminationHandler = { [ended] _ in ended.complete() }
    try process.runWithoutSignalMask()
  }

  /// What it has written to its standard output so far.
  var output: String { text(0) }

  /// What it has written to its standard error so far.
  var errors: String { text(1) }

  private func text(_ index: Int) -> String { (try? String(contentsOf: outputs[index], encoding: .utf8)) ?? "" }

  /// Waits for its end.
  func end() async throws -> (status: Int32, output: String, errors: String) {
    try await ended.value
    let texts = try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return (process.terminationStatus, texts[0], texts[1])
  }

  /// The folder with the executables: the one that holds the test bundle.
  static var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
  }
}

extension Process {
  /// Starts a process that blocks no signals.
  ///
  /// The threads of Dispatch block most of them, and a child inherits that from the thread that starts it.
  func runWithoutSignalMask() throws {
    var (none, mask) = (sigset_t(), sigset_t())
    // Safe: both sets live through the calls.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try run()
  }
}

/// The lines that are wider than so many columns and could have been broken, at a space behind the indentation.
func tooLong(_ columns: Int, _ output: String) -> [Substring] {
  output.split(separator: "\n").filter { line in
    line.count > columns && line.drop { $0 == " " }.contains(" ")
  }
}
