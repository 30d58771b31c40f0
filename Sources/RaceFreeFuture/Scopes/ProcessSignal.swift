// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// A signal of the system, which a process gets or is sent.
public struct ProcessSignal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number that the system gives it.
  public let rawValue: Int32

  /// Makes the signal of a number.
  ///
  /// - Parameter rawValue: The number that the system gives it, as `SIGTERM`.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// INT: what a terminal sends for Control-C.
  public static let interrupt = ProcessSignal(rawValue: SIGINT)
  /// TERM: what service managers and containers send to stop a process.
  public static let terminate = ProcessSignal(rawValue: SIGTERM)
  /// HUP: the terminal has gone.
  public static let hangUp = ProcessSignal(rawValue: SIGHUP)
  /// QUIT: as INT, with a core dump.
  public static let quit = ProcessSignal(rawValue: SIGQUIT)
  /// KILL: the end, which no process can catch.
  public static let kill = ProcessSignal(rawValue: SIGKILL)

  /// Its name, or its number; for people.
  public var description: String {
    switch self {
    case .interrupt: "INT"
    case .terminate: "TERM"
    case .hangUp: "HUP"
    case .quit: "QUIT"
    case .kill: "KILL"
    default: "signal \(rawValue)"
    }
  }
}
