// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The destination of standard output: its properties, and a way to write to it.
public enum Console {
  /// The maximum width of a line.
  ///
  /// The current columns of the terminal; without one the value of `COLUMNS` in the environment; otherwise 80.
  public static var width: Int {
    var size = winsize()
    // Safe: the structure lives through the call.
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment["COLUMNS"].flatMap { Int($0) }.map { max(1, $0) } ?? 80
  }

  /// True if text may have colours and weights: on a terminal that supports them, unless the user wants none.
  public static var takesColours: Bool {
    isatty(STDOUT_FILENO) == 1 && takesColours(environment)
  }

  /// Returns true if a descriptor is a terminal that understands escape sequences, such as those that move the cursor.
  public static func takesEscapes(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && takesEscapes(environment)
  }

  /// Returns true if an environment allows colours: see <https://no-color.org>.
  static func takesColours(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && takesEscapes(environment)
  }

  /// Returns true if an environment names a terminal that isn't dumb.
  private static func takesEscapes(_ environment: [String: String]) -> Bool {
    !["dumb", ""].contains(environment["TERM", default: ""])
  }

  /// Writes text at once, without a line break of its own.
  ///
  /// What standard output doesn't take, on a full disk for example, goes to standard error, and the program fails in the
  /// end. It is no failure that nobody reads any more.
  public static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error } ?? error
      if (cause as NSError).code == Int(EPIPE) { return }
      hasLostOutput.store(true, ordering: .relaxed)
      writeError(text)
    }
  }

  /// Writes text to standard error at once, without a line break of its own.
  public static func writeError(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// True when standard output has refused something.
  static let hasLostOutput = Atomic(false)

  /// Writes lines at once, broken where they would be too long.
  public static func writeLines(_ text: String) { write(lines(text)) }

  /// Returns lines, broken where they would be too long.
  public static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { String($0).wrapped(to: width, indentation: "    ") + "\n" }.joined()
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
