// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import RaceFreeFuture

  /// One step of stopping a child process: a signal, and the time that the child has to end before the next one.
  ///
  /// ```swift
  /// process.runFuture(stopping: [
  ///   .send(.interrupt, allowing: .seconds(2)),
  ///   .send(.terminate, allowing: .seconds(5)),
  ///   .send(.kill),
  /// ])
  /// ```
  public struct ProcessStopStep: Hashable, Sendable {
    /// The signal that is sent to the child.
    public var signal: ProcessSignal
    /// The time that the child has to end before the next step.
    ///
    /// It is ignored in the last step.
    public var interval: Duration

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - signal: The signal that is sent to the child.
    ///   - interval: The time that the child has to end before the next step. Zero or less: the next step follows at
    ///     once.
    /// - Returns: The step.
    public static func send(_ signal: ProcessSignal, allowing interval: Duration = .zero) -> ProcessStopStep {
      ProcessStopStep(signal: signal, interval: interval)
    }
  }
#endif
