// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation

  /// A launched child: sends it signals and notices its exit.
  ///
  /// Foundation reaps the child on a thread of its own, at any time; from then on its number may belong to another
  /// process. On Linux a descriptor refers to the child, and signals go to that: it never refers to another process.
  /// Elsewhere, and on Linux before 5.4, the number is used, directly after checking that it is still our unreaped
  /// child.
  ///
  /// All calls are made on the queue of the run.
  final class ChildProcess {
    private let identifier: Int32
    private var descriptor: Int32 = -1
    private var watched: WatchedDescriptor?
    /// The group whose members get signals, too.
    private let group: ProcessGroup?
    private var isClosed = false

    /// Takes a child that was just launched.
    ///
    /// No other process can have got its number meanwhile: numbers are assigned in turn, and all others come first.
    init(_ identifier: Int32, group: ProcessGroup? = nil) {
      self.identifier = identifier
      self.group = group
      #if os(Linux) || os(Android)
        descriptor = openProcess(identifier)
        var info = unsafe siginfo_t()
        // Linux 5.3 has the descriptors, but `waitid` doesn't accept them.
        if descriptor >= 0, unsafe waitid(byDescriptor, id_t(descriptor), &info, peek) != 0, errno == EINVAL {
          closeDescriptor(descriptor)
          descriptor = -1
        }
      #endif
    }

    deinit {
      // Once it is watched, it is closed by `close`.
      if watched == nil, descriptor >= 0 { closeDescriptor(descriptor) }
    }

    /// True if `watch` will report the exit.
    var canBeWatched: Bool { descriptor >= 0 }

    /// Reports the exit of the child, even if Foundation hasn't noticed it, and stops watching.
    ///
    /// - Parameters:
    ///   - queue: The queue of the run.
    ///   - monitor: The monitor that waits.
    ///   - onExit: Gets the exit; not called if Foundation was faster and has reaped the child.
    ///   - onClosed: Runs once, after `onExit` or `close()`.
    func watch(
      on queue: DispatchQueue,
      _ monitor: DescriptorMonitor,
      onExit: @escaping (ProcessExit) -> Void,
      onClosed: @escaping () -> Void
    ) {
      #if os(Linux) || os(Android)
        guard canBeWatched else { return }
        let watched = WatchedDescriptor(descriptor, on: queue, monitor, onClosed: onClosed)
        self.watched = watched
        watched.whenReady(Int32(POLLIN)) { [self] in
          let exit = exitOfZombie(descriptor)
          close()
          if let exit { onExit(exit) }
        }
      #endif
    }

    /// Stops watching; from now on no signal is sent, except to known members of the group.
    func close() {
      isClosed = true
      watched?.close()
    }

    /// Sends the child a signal, unless it has been reaped.
    ///
    /// With a group, all its processes get the signal, also after the child's exit, as long as the group is certain to
    /// be the child's. If the child has no group of its own, it alone gets the signal.
    ///
    /// - Parameter signal: Its number.
    /// - Returns: True if there was a child or a group to send it to.
    @discardableResult
    func send(_ signal: Int32) -> Bool {
      if let group, ownsGroup {
        group.findMembers { ownsGroup }
        if ownsGroup { return kill(-identifier, signal) == 0 }
      }
      if isClosed { return false }
      #if os(Linux) || os(Android)
        if descriptor >= 0 { return signalProcess(descriptor, signal) }
      #endif
      return isUnreaped && kill(identifier, signal) == 0
    }

    /// True if the number is still that of the child's own group.
    private var ownsGroup: Bool {
      !isClosed && getpgid(identifier) == identifier && isUnreaped || group?.hasMember == true
    }

    /// True if the number is still that of our child.
    private var isUnreaped: Bool {
      var info = unsafe siginfo_t()
      return unsafe waitid(P_PID, id_t(identifier), &info, peek) == 0
    }
  }

  /// Queries without reaping and without waiting.
  private let peek = Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT)

  #if os(Linux) || os(Android)
    /// P_PIDFD, which older headers don't have.
    private let byDescriptor = idtype_t(3)

    /// Returns the exit of the child of a descriptor; nil if it runs, or was reaped.
    private func exitOfZombie(_ descriptor: Int32) -> ProcessExit? {
      var info = unsafe siginfo_t()
      guard unsafe waitid(byDescriptor, id_t(descriptor), &info, peek) == 0, unsafe info.si_signo == SIGCHLD else {
        return nil
      }
      return ProcessExit(
        status: unsafe info.status,
        reason: unsafe info.si_code == Int32(CLD_EXITED) ? .exit : .uncaughtSignal
      )
    }

    extension siginfo_t {
      /// The exit status or the signal of a child, a member of unions whose names differ between C libraries.
      fileprivate var status: Int32 {
        #if canImport(Glibc)
          unsafe _sifields._sigchld.si_status
        #elseif canImport(Musl)
          unsafe __si_fields.__si_common.__second.__sigchld.si_status
        #else
          unsafe _sifields._sigchld._status
        #endif
      }
    }
  #endif
#endif
