// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import Foundation

/// A place for text.
public struct Output: Sendable {
  /// Writes text unchanged, at once.
  public let write: @Sendable (String) -> Void

  /// Makes an output that calls a closure.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Standard output.
  public static let standardOutput = Output { Console.write($0) }
  /// Standard error.
  public static let standardError = Output { Console.writeError($0) }
}

/// The terminal of standard error.
enum Terminal {
  /// True if standard error is a terminal that can redraw lines.
  static var canRedraw: Bool { Console.takesEscapes(STDERR_FILENO) }

  /// The maximum width of a line: the columns of the terminal, and no limit in a file or a pipe.
  static var lineWidth: Int { isatty(STDERR_FILENO) == 1 ? size.columns : .max }

  /// The number of columns and rows now.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }
}
