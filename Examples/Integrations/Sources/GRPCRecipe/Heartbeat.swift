// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file. It needs no more than RaceFreeFuture.

internal import RaceFreeFuture

/// Runs an activity that a server has handed out: it tells the server again and again that it is alive, and learns whether
/// it is still wanted.
///
/// ```swift
/// try await withHeartbeat(every: .seconds(5), within: .seconds(30)) {
///   try await jobs.heartbeat(job).isWanted
/// } of: {
///   try await convert(job.film)
/// }
/// ```
///
/// The activity is cancelled when the server doesn't want it any more, with ``ActivityRevoked``, and with a `TimeoutError`
/// when no heartbeat has been answered for as long as the server waits: by then another worker may have the job. A heartbeat
/// that fails isn't answered; the next one may be.
///
/// The server has the same two lines for each job that it has handed out: `let watchdog = job.cancel(after: .seconds(30))`,
/// and in its method `watchdog.extend(fromNow: .seconds(30))`, which returns false if the job is over.
///
/// - Parameters:
///   - interval: The pause between two heartbeats.
///   - limit: The time after which a heartbeat has to be answered.
///   - beat: Sends a heartbeat, and returns whether the activity is still wanted.
///   - body: The activity.
/// - Returns: What the activity returns.
/// - Throws: The error of the activity, or the reason of its cancellation.
public func withHeartbeat<Value: Sendable>(
  every interval: Duration,
  within limit: Duration,
  _ beat: @escaping @Sendable () async throws -> Bool,
  of body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let activity = Future(linkedTo: CancelToken.current, label: "activity")
  let watchdog = activity.cancel(after: limit)
  defer { activity.complete() }
  let heart = Scope(label: "heart")
  activity.onCleanUp(on: .inline) { heart.cancel() }
  heart.addTask(name: "heartbeat") {
    while true {
      switch try? await beat() {
      case true?: watchdog.extend(fromNow: limit)
      case false?: activity.cancel(throwing: ActivityRevoked())
      case nil: break
      }
      try await Future.completing(after: interval).ownedValue
    }
  }
  return try await activity.run(body)
}

/// The reason of an activity that the server doesn't want any more.
public struct ActivityRevoked: Error {
  /// Creates the reason.
  public init() {}
}
