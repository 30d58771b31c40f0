// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation

  /// Waits for the descriptors of all runs, on one thread of its own.
  ///
  /// Not one dispatch source each: on Linux Dispatch drops a pipe when the other end is closed, even with unread bytes
  /// in it, uses memory that it has freed when several ends are closed at the same time, and spins when a full pipe is
  /// no longer read.
  ///
  /// `@unchecked Sendable`: `commands` is used on `turn` only, `interests` on the thread only.
  final class DescriptorMonitor: @unchecked Sendable {
    private struct Interest {
      var descriptor: Int32
      var events: Int16
      var queue: DispatchQueue
      var handler: @Sendable () -> Void
    }

    private enum Command {
      case add(Int, Interest)
      case remove(Int, DispatchQueue, @Sendable () -> Void)
    }

    /// Used on the queue of launches only.
    private nonisolated(unsafe) static var shared: DescriptorMonitor?

    /// Starts the monitor, unless it has been started; it runs forever.
    ///
    /// - Returns: The monitor.
    /// - Throws: `tooFewDescriptors` if the system has none left.
    static func start() throws(ProcessRunError) -> DescriptorMonitor {
      dispatchPrecondition(condition: .onQueue(ProcessRun.launches))
      if let shared = unsafe shared { return shared }
      let monitor = try DescriptorMonitor()
      unsafe shared = monitor
      return monitor
    }

    private let turn = DispatchQueue(label: "RaceFreeFutureFoundation.monitor")
    private var commands: [Command] = []
    private var nextNumber = 0
    private var interests: [Int: Interest] = [:]
    /// A byte in it wakes the thread.
    private let alarm: (reading: Int32, writing: Int32)

    private init() throws(ProcessRunError) {
      alarm = try makePipe()
      for end in [alarm.reading, alarm.writing] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
      let thread = Thread { [self] in
        // Signals are handled by other threads.
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        while true { turnOnce() }
      }
      thread.name = "RaceFreeFutureFoundation"
      thread.start()
    }

    /// Calls a handler once, when the descriptor can be read or written, or the other end is closed.
    ///
    /// - Parameters:
    ///   - descriptor: It must not be closed before the handler was called or `remove` has called back.
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - queue: The queue on which the handler runs.
    ///   - handler: Runs once.
    /// - Returns: A number for removing the handler.
    func wait(
      for descriptor: Int32,
      _ events: Int32,
      on queue: DispatchQueue,
      _ handler: @escaping @Sendable () -> Void
    ) -> Int {
      let interest = Interest(descriptor: descriptor, events: Int16(events), queue: queue, handler: handler)
      return turn.sync {
        nextNumber += 1
        give(.add(nextNumber, interest))
        return nextNumber
      }
    }

    /// Stops waiting; then the descriptor may be closed.
    ///
    /// - Parameters:
    ///   - number: The number that `wait` returned.
    ///   - queue: The queue on which the handler runs.
    ///   - handler: Runs after the other handler if that has been called.
    func remove(_ number: Int, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      turn.sync { give(.remove(number, queue, handler)) }
    }

    /// Throws if a launch could run out of descriptors; to be called directly before.
    func checkSpareDescriptors() throws(ProcessRunError) {
      try RaceFreeFutureFoundation.checkSpareDescriptors(alarm.reading)
    }

    private func give(_ command: Command) {
      commands.append(command)
      // A full pipe is sure to wake the thread.
      if commands.count == 1 { _ = unsafe write(alarm.writing, [0], 1) }
    }

    private func turnOnce() {
      let numbers = Array(interests.keys)
      var polled = numbers.map { number in
        pollfd(fd: interests[number]?.descriptor ?? -1, events: interests[number]?.events ?? 0, revents: 0)
      }
      polled.append(pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0))
      guard unsafe poll(&polled, .init(polled.count), -1) > 0 else { return }
      for (number, polled) in zip(numbers, polled) where polled.revents != 0 {
        guard let interest = interests.removeValue(forKey: number) else { continue }
        interest.queue.async(execute: interest.handler)
      }
      if polled.last?.revents != 0 { obey() }
    }

    private func obey() {
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      let given = turn.sync {
        _ = unsafe read(alarm.reading, &bytes, bytes.count)
        defer { commands = [] }
        return commands
      }
      for command in given {
        switch command {
        case .add(let number, let interest): interests[number] = interest
        case .remove(let number, let queue, let handler):
          interests[number] = nil
          queue.async(execute: handler)
        }
      }
    }
  }
#endif
