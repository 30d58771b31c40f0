// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Is told how the downloads go.
///
/// It is called for one of them at a time: started, any number of times progressed, ended; or only ended.
public protocol Reporter: Sendable {
  /// A download has started.
  func started(_ download: Download)
  /// More bytes have come.
  func progressed(_ download: Download)
  /// A download has ended.
  func ended(_ download: Download, _ report: Report)
}

/// One line when a download starts, one when it ends: for files and pipes.
public struct PlainLines: Reporter {
  private let output: Output

  /// Lines that go to an output.
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
