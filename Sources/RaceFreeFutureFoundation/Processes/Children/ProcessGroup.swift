// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation

  /// The members of a child's process group that may outlive the child.
  ///
  /// For a group there is no descriptor, and once it is empty its number may be given to another one. It can't be while
  /// it has a member: POSIX ("Process ID Reuse") forbids that before the lifetime of its process and that of its group
  /// have ended. So the number is that of the child's group:
  ///
  /// 1. while the child hasn't been reaped, which its owner checks,
  /// 2. while a process that was known as a member, at such a moment, still runs and is in a group of that number. It is
  ///    known by its descriptor, which never refers to another process.
  ///
  /// Like the check whether the child has been reaped, the second one is made directly before a signal is sent. Members
  /// are found by means of Linux; elsewhere none is ever known.
  ///
  /// All calls are made on the queue of the run.
  final class ProcessGroup {
    private let number: Int32
    private let queue: DispatchQueue
    private let monitor: DescriptorMonitor
    private let onEmpty: () -> Void
    /// The descriptors of the known members, by their numbers.
    private var members: [Int32: WatchedDescriptor] = [:]
    /// The number of descriptors that aren't closed.
    private var open = 0

    /// Makes a group without known members.
    ///
    /// - Parameters:
    ///   - number: The number of the child, which is that of its group.
    ///   - queue: The queue of the run.
    ///   - monitor: The monitor that waits.
    ///   - onEmpty: Runs when the last known member has ended or was forgotten.
    init(_ number: Int32, on queue: DispatchQueue, _ monitor: DescriptorMonitor, onEmpty: @escaping () -> Void) {
      self.number = number
      self.queue = queue
      self.monitor = monitor
      self.onEmpty = onEmpty
    }

    /// True if a member is known, or was a moment ago: `onEmpty` is going to be called.
    var isWatched: Bool { open > 0 }

    /// True if a known member still runs and is in the group.
    var hasMember: Bool { members.contains { isMember($0.key, $0.value.number) } }

    /// Finds members, except the child itself, and waits for their end.
    ///
    /// - Parameter isOurs: Called afterwards: true if the number has been that of the child's group all the time.
    func findMembers(while isOurs: () -> Bool) {
      #if os(Linux) || os(Android)
        var found: [Int32: Int32] = [:]
        for identifier in allProcesses() where identifier != number && getpgid(identifier) == number {
          guard members[identifier] == nil else { continue }
          let descriptor = openProcess(identifier)
          guard descriptor >= 0 else { continue }
          // The signal 0 only checks: a process that can't be signalled isn't waited for.
          if isMember(identifier, descriptor), signalProcess(descriptor, 0) {
            found[identifier] = descriptor
          } else {
            closeDescriptor(descriptor)
          }
        }
        guard isOurs() else {
          for descriptor in found.values { closeDescriptor(descriptor) }
          return
        }
        for (identifier, descriptor) in found { watch(identifier, descriptor) }
      #endif
    }

    /// Stops waiting for processes that have left the group: they get no more signals.
    func forgetLeavers() {
      for (identifier, member) in members where !isMember(identifier, member.number) {
        members[identifier] = nil
        member.close()
      }
    }

    /// Stops waiting for the members.
    func forget() {
      for member in members.values { member.close() }
      members = [:]
    }

    private func watch(_ identifier: Int32, _ descriptor: Int32) {
      open += 1
      let watched = WatchedDescriptor(descriptor, on: queue, monitor) { [self] in
        open -= 1
        if open == 0 { onEmpty() }
      }
      members[identifier] = watched
      watched.whenReady(Int32(POLLIN)) { [self] in
        if members[identifier] === watched { members[identifier] = nil }
        watched.close()
      }
    }

    /// True if the process that the descriptor refers to still runs, so that the number is still its number, and is in
    /// the group.
    private func isMember(_ identifier: Int32, _ descriptor: Int32) -> Bool {
      guard getpgid(identifier) == number else { return false }
      // A descriptor of a process can be read when the process has exited.
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&polled, 1, 0) == 0
    }

    /// Returns the numbers of all processes; none without a /proc.
    private func allProcesses() -> [Int32] {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    }
  }
#endif
