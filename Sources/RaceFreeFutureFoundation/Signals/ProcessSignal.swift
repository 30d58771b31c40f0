// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

/// A signal of the operating system.
public struct ProcessSignal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number of the signal in the system.
  public let rawValue: Int32

  /// Creates the signal with a number.
  ///
  /// - Parameter rawValue: The number of the signal in the system, such as `SIGTERM`.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// INT: sent by a terminal for Control-C.
  public static let interrupt = ProcessSignal(rawValue: SIGINT)
  /// TERM: sent by service managers and containers to stop a process.
  public static let terminate = ProcessSignal(rawValue: SIGTERM)
  /// HUP: the terminal was closed.
  public static let hangUp = ProcessSignal(rawValue: SIGHUP)
  /// QUIT: like INT, with a core dump.
  public static let quit = ProcessSignal(rawValue: SIGQUIT)
  /// USR1: for a purpose of the program's own; without one it ends the process.
  public static let user1 = ProcessSignal(rawValue: SIGUSR1)
  /// KILL: ends the process, which can't catch it.
  public static let kill = ProcessSignal(rawValue: SIGKILL)

  /// The name or the number, meant for people to read.
  public var description: String {
    switch self {
    case .interrupt: "INT"
    case .terminate: "TERM"
    case .hangUp: "HUP"
    case .quit: "QUIT"
    case .user1: "USR1"
    case .kill: "KILL"
    default: "signal \(rawValue)"
    }
  }
}
