// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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

/// One line when a download starts, one when it ends: for files and pipes.
public struct PlainLines: Reporter {
  private let output: Output

  /// Makes a reporter that writes lines to an output.
  public init(_ output: Output) {
    self.output = output
  }

  /// Writes a line.
  public func started(_ download: Download) { output.write("\(download.name): started\n") }
  /// Does nothing.
  public func progressed(_ download: Download) {}
  /// Writes a line.
  public func ended(_ download: Download, _ report: Report) { output.write(report.line + "\n") }
}

extension Report {
  /// The report in one line.
  var line: String {
    guard let time else { return "\(name): \(words), before it started" }
    return "\(name): \(words), \(grouped(bytes)) bytes in \(time.measured)"
  }
}
