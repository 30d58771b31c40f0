// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// The ways in which an order can fail.
enum OrderFailure: Error, Equatable {
  case invariant(String)
  case ending(String)
  case thrown(String, String)
  /// A primitive was misused: a lock was acquired twice, or memory was used without order.
  case misuse(String)
  case noActors
  /// Nothing can continue: the waiting actors, and the things they wait for.
  case deadlock([String])
  /// The body has returned, and a task will be suspended forever.
  case outlived([String])
  /// Everything has ended, and an object is still alive.
  case leaked([String])
  case tooManySteps(Int, last: String)
  /// Work came from another thread.
  case intrusion(String, isActor: Bool)
  /// A task that isn't part of the scenario awaits a future that is.
  case foreignWait(String)
  /// The possible choices differed from those after the same steps before.
  case notRepeatable(step: Int, now: [String])
  /// The order that was to be replayed doesn't fit.
  case impossible(step: Int, wanted: String, now: [String])
  case unreadable(String)
  /// It needs what an initializer makes that never ends, since an earlier order.
  case unended(String)
  /// Another order shows the same.
  case redundant
  /// It failed in this way, but not when it was run again; and how control was lost in it.
  case notTheSame(String, departure: String?)
  /// A step doesn't return.
  case stuck(String, for: Duration, waiting: String? = nil)

  /// Returns a failure with the tracked objects that are still alive; nil if there are none.
  static func leak(of tracked: [TrackedObject]) -> OrderFailure? {
    let living = tracked.filter(\.isAlive)
    return living.isEmpty ? nil : .leaked(living.map { "\"\($0.label)\" of \($0.site)" })
  }

  /// The rule that was broken, in one sentence.
  var sentence: String {
    switch self {
    case .invariant(let text), .ending(let text), .misuse(let text):
      text
    case .thrown(let who, let error):
      "\(who) threw an error: \(error)"
    case .noActors:
      "the scenario has no actor, so there was nothing to explore"
    case .deadlock(let waiting):
      "deadlock: nothing can continue, but \(waiting.joined(separator: ", "))"
    case .outlived(let waiting):
      "the body has returned and nothing can continue, but \(waiting.joined(separator: ", "))"
    case .leaked(let objects):
      "everything has ended, but somebody keeps \(objects.joined(separator: ", "))"
    case .tooManySteps(let count, let last):
      "no end after \(count) steps, the last by \"\(last)\": who waits in a loop should await what it waits for, or take "
        + "a step with a condition (when:); if it does end, give it more maxSteps"
    case .intrusion(let line, let isActor):
      "another thread \(isActor ? "continued" : "queued work at") \"\(line)\": something left the explorer's control"
    case .foreignWait(let future):
      "another thread awaits \(future): a task that isn't one of the scenario's actors left the explorer's control"
    case .notRepeatable(let step, let now):
      "the scenario isn't the same each time: before step \(step) the choice is now between \(Self.list(now)), and was "
        + "not after the same steps before; make everything inside of the scenario, and use no clock and no random numbers"
    case .impossible(let step, let wanted, let now):
      "the order to replay doesn't fit: its step \(step) is \(wanted), but the choice is between \(Self.list(now))"
    case .unreadable(let text):
      "\"\(text)\" is no order: use the text that a report gave"
    case .unended(let who):
      "\(who) needs what an initializer makes that an earlier order has left in the middle: it runs once in a process, and "
        + "never ends"
    case .redundant:
      "another order shows the same"
    case .notTheSame(let sentence, let departure):
      "\(sentence) (once; when this order was run again, it didn't fail: "
        + (departure.map { "\($0))" }
          ?? "the scenario isn't the same each time; make everything inside of it, and use no clock and no random numbers)")
    case .stuck(let step, let time, let wait):
      "\(step) hasn't returned for \(seconds(time)): \(wait.map { "it waits for \($0), and " } ?? "")a step must not "
        + "block, because all others run on the same thread"
    }
  }

  /// True if it concerns the code under test, and not the way of testing it.
  ///
  /// Only then can a shorter order show the same.
  var isOfSubject: Bool {
    switch self {
    case .invariant, .ending, .thrown, .misuse, .deadlock, .outlived, .leaked: true
    default: false
    }
  }

  private static func list(_ titles: [String]) -> String {
    titles.isEmpty ? "nothing" : titles.map { "\"\($0)\"" }.joined(separator: " and ")
  }
}
