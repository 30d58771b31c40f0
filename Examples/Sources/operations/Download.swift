// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// A download that takes its time: a timer instead of a network.
///
/// This is all that an asynchronous operation has to define: the start of its work, its stop, and its end.
final class Download: AsynchronousOperation, @unchecked Sendable {
  private let title: String
  private let duration: DispatchTimeInterval
  private let timeline: Timeline

  init(_ name: String, _ duration: DispatchTimeInterval, _ timeline: Timeline) {
    self.title = name
    self.duration = duration
    self.timeline = timeline
    super.init(label: name)
    onCleanUp(on: .inline) { outcome in timeline.end(name, outcome == .completed ? "done" : "cancelled") }
  }

  override func main() {
    timeline.begin(title)
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { self.finish() }
    timer.schedule(deadline: .now() + duration)
    attach(timer)
  }
}

/// A download that brings a result, or fails.
///
/// The last result before the end counts: here the second.
final class Fetch: FutureOperation<String>, @unchecked Sendable {
  private let title: String
  private let content: Result<String, any Error>
  private let timeline: Timeline

  init(_ name: String, _ content: Result<String, any Error>, _ timeline: Timeline) {
    self.title = name
    self.content = content
    self.timeline = timeline
    super.init(label: name)
    valueFuture.onResult(on: .inline) { result in
      timeline.end(name, (try? result.get()) == nil ? "failed" : "done")
    }
    valueFuture.onCancel(on: .inline) { () -> Void in timeline.end(name, "cancelled") }
  }

  override func main() {
    timeline.begin(title)
    setResult("nothing yet")
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [self] in
      switch content {
      case .success(let text): setResult(text)
      case .failure(let error): setResult(throwing: error)
      }
      finish()
    }
    timer.schedule(deadline: .now() + .milliseconds(150))
    attach(timer)
  }
}
