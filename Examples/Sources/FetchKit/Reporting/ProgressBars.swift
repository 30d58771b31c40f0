// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import Synchronization

/// A bar for each download that is under way, redrawn in place; a line that stays for each that has ended.
public final class ProgressBars: Reporter {
  private struct State {
    var active: [Download] = []
    var drawnLines = 0
    var lastFrame: ContinuousClock.Instant?
  }

  private let output: Output
  private let size: @Sendable () -> (columns: Int, rows: Int)
  private let frameTime: Duration
  /// Guards the contents of the screen, including writes to it.
  private let state = Mutex(State())

  /// Makes bars on a terminal.
  ///
  /// - Parameters:
  ///   - output: The terminal.
  ///   - frameTime: The minimum time between two frames.
  ///   - size: The size of the terminal now.
  public init(
    _ output: Output,
    frameTime: Duration = .milliseconds(40),
    size: @escaping @Sendable () -> (columns: Int, rows: Int)
  ) {
    self.output = output
    self.frameTime = frameTime
    self.size = size
  }

  /// The sequence that makes the cursor visible again.
  static let showCursor = "\u{1B}[?25h"

  /// Adds a bar.
  public func started(_ download: Download) {
    state.withLock { state in
      state.active.append(download)
      draw(&state)
    }
  }

  /// Redraws the bars, unless that has just been done.
  public func progressed(_ download: Download) {
    state.withLock { state in
      if let last = state.lastFrame, last.duration(to: .now) < frameTime { return }
      draw(&state)
    }
  }

  /// Replaces the bar by a line that stays.
  public func ended(_ download: Download, _ report: Report) {
    state.withLock { state in
      state.active.removeAll { $0 === download }
      draw(&state, leaving: report.line)
    }
  }

  /// Draws one frame, in one write: erases the bars, writes the line that stays, and the bars below it.
  private func draw(_ state: inout State, leaving line: String? = nil) {
    let (columns, rows) = size()
    var frame = "\u{1B}[?25l"
    if state.drawnLines > 0 { frame += "\u{1B}[\(state.drawnLines)A\r\u{1B}[J" }
    if let line { frame += line.wrapped(to: columns, indentation: "  ") + "\n" }
    let shown = state.active.prefix(max(1, rows - 2))
    let nameColumns = min(columns / 3, shown.map(\.name.count).max() ?? 0)
    for download in shown {
      frame += Bar(download).line(nameColumns: nameColumns, columns: columns) + "\n"
    }
    if shown.isEmpty { frame += Self.showCursor }
    output.write(frame)
    state.drawnLines = shown.count
    state.lastFrame = .now
  }
}
