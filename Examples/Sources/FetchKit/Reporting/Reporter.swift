// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console

/// A receiver of the downloads' progress.
///
/// It is called for one download at a time: started, any number of times progressed, ended; or only ended.
public protocol Reporter: Sendable {
  /// Called when a download has started.
  func started(_ download: Download)
  /// Called when more bytes have arrived.
  func progressed(_ download: Download)
  /// Called when a download has ended.
  func ended(_ download: Download, _ report: Report)
}

/// One line when a download starts, one when it ends: for files, pipes, and terminals that can't redraw.
public struct PlainLines: Reporter {
  private let output: Output
  private let width: @Sendable () -> Int

  /// Makes a reporter that writes lines to an output; longer ones are broken at a width.
  public init(_ output: Output, width: @escaping @Sendable () -> Int = { .max }) {
    self.output = output
    self.width = width
  }

  /// Writes a line.
  public func started(_ download: Download) { write("\(download.name): started") }
  /// Does nothing.
  public func progressed(_ download: Download) {}
  /// Writes a line.
  public func ended(_ download: Download, _ report: Report) { write(report.line) }

  private func write(_ line: String) { output.write(line.wrapped(to: width(), indentation: "  ") + "\n") }
}

extension Report {
  /// The report in one line.
  var line: String {
    guard let time else { return "\(name): \(words), before it started" }
    return "\(name): \(words), \(grouped(bytes)) bytes in \(time.measured)"
  }
}
