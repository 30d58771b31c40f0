// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import RaceFreeFuture

  /// One step of stopping a child process: a signal, and how long the child has to end before the next one.
  ///
  /// ```swift
  /// process.runFuture(stopping: [
  ///   .send(.interrupt, allowing: .seconds(2)),
  ///   .send(.terminate, allowing: .seconds(5)),
  ///   .send(.kill),
  /// ])
  /// ```
  public struct ProcessStopStep: Hashable, Sendable {
    /// The signal that the child gets.
    public var signal: ProcessSignal
    /// How long it has to end before the next step.
    ///
    /// It means nothing in the last one.
    public var interval: Duration

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - signal: The signal that the child gets.
    ///   - interval: How long it has to end before the next step. Zero or less: that one comes at once.
    /// - Returns: The step.
    public static func send(_ signal: ProcessSignal, allowing interval: Duration = .zero) -> ProcessStopStep {
      ProcessStopStep(signal: signal, interval: interval)
    }
  }
#endif
