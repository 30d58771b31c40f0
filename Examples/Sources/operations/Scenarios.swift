// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// Common uses of a queue, each in a line or two.
///
/// Each function returns when everything has ended.
enum Scenarios {
  struct ServerError: Error {}

  /// Starts everything at once.
  static func allAtOnce() async -> Timeline {
    let timeline = Timeline()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    let downloads = (1...4).map { Download("file \($0)", .milliseconds(100 * $0), timeline) }
    for download in downloads { queue.add(download) }
    // The handlers note the ends.
    for download in downloads { _ = await download.handlersFinished }
    return timeline
  }

  /// Runs one after the other: each waits for the end of the one before, with any outcome.
  ///
  /// The second one exceeds a time limit.
  static func oneAfterTheOther() async -> Timeline {
    let timeline = Timeline()
    let queue = OperationQueue()
    let downloads = (1...4).map { Download("file \($0)", .milliseconds(150), timeline) }
    for (previous, next) in zip(downloads, downloads.dropFirst()) { queue.add(next, after: previous) }
    downloads[0].onComplete { downloads[1].cancel(after: .milliseconds(60)) }
    queue.add(downloads[0])
    for download in downloads { _ = await download.handlersFinished }
    return timeline
  }

  /// Runs the next only if the one before has succeeded, with its value.
  ///
  /// - Parameter fails: True if the second step fails; then the third never starts.
  /// - Returns: The timeline, and the result of the last step.
  static func nextIfSucceeded(secondFails fails: Bool) async -> (timeline: Timeline, result: Result<String, any Error>)
  {
    let timeline = Timeline()
    let queue = OperationQueue()
    let first = Fetch("login", .success("ticket 7"), timeline)
    queue.add(first)
    let list = first.valueFuture.flatMap { ticket in
      let second = Fetch("list", fails ? .failure(ServerError()) : .success("the files for \(ticket)"), timeline)
      queue.add(second)
      return second.valueFuture
    }
    let file = queue.add(with: list) { list, _ in
      timeline.begin("file")
      defer { timeline.end("file", "done") }
      return "the first of \(list)"
    }
    do {
      return (timeline, .success(try await file.value))
    } catch {
      return (timeline, .failure(error))
    }
  }

  /// Runs two at a time; a waiting one and a running one are cancelled.
  static func twoAtATime() async -> Timeline {
    let timeline = Timeline()
    let queue = OperationQueue(maxConcurrentOperationCount: 2)
    let downloads = (1...6).map { Download("file \($0)", .milliseconds(200), timeline) }
    downloads[0].onComplete { downloads[4].cancel() }
    downloads[2].onComplete { downloads[5].cancel(after: .milliseconds(100)) }
    for download in downloads { queue.add(download) }
    for download in downloads { _ = await download.handlersFinished }
    return timeline
  }
}
