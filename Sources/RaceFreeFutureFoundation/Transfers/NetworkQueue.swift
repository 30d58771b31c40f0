// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  package import Dispatch
  internal import Foundation
  package import FoundationNetworking

  /// The queue in which FoundationNetworking handles what comes from the network, for one session.
  ///
  /// What can be read of a body is an event in it. A fast server has the next event ready before one has been handled;
  /// then the queue is never empty, and whatever else the session has to do waits behind it: a cancellation, the start of
  /// a task, a time limit. Only a pause lets that through.
  ///
  /// A pause begins when an event ends. That comes soon, however fast the server is: for each transfer libcurl reads some
  /// hundred times at most, up to 16 KB each, and then makes a new event of the rest. (7.88 does so, and all since 7.69.
  /// Older ones may read within a single event for as long as there is something.)
  package struct NetworkQueue: Sendable {
    private let events: DispatchQueue
    /// The queue of the session, to which that of the events leads.
    private let session: DispatchQueue

    package init(events: DispatchQueue, session: DispatchQueue) {
      self.events = events
      self.session = session
    }

    /// Finds the queue of a session; nil if there is none by its name in FoundationNetworking 5.5 to 6.3.
    ///
    /// It isn't public. The properties that are looked at on the way to it are constants, or plain numbers.
    package init?(of session: URLSession) {
      let mirror = Mirror(reflecting: session)
      guard let events = mirror.descendant("multiHandle", "queue") as? DispatchQueue,
        let queue = mirror.descendant("workQueue") as? DispatchQueue
      else { return nil }
      self.init(events: events, session: queue)
    }

    /// Begins a pause, which lasts until the result is released and the session has done all that has waited.
    ///
    /// The event that is being handled is still handled to its end.
    package func pause() -> Pause { Pause(self) }

    /// Begins a pause, and calls a closure with it when no event is being handled any more.
    package func pause(_ body: @escaping @Sendable (Pause) -> Void) {
      let pause = Pause(self)
      session.async { body(pause) }
    }

    /// A time in which no event is handled.
    package final class Pause: Sendable {
      private let queue: NetworkQueue

      fileprivate init(_ queue: NetworkQueue) {
        self.queue = queue
        queue.events.suspend()
      }

      deinit {
        // By way of the session's queue, in which all that has waited comes before; then from another thread, so that
        // other sessions, which share the last thread of all, have their turn as well.
        queue.session.async { [events = queue.events] in
          DispatchQueue.global().async { events.resume() }
        }
      }
    }
  }
#endif
