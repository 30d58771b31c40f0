// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation
  internal import RaceFreeFuture

  /// The exit of a child.
  struct ProcessExit: Hashable, Sendable {
    var status: Int32
    var reason: Process.TerminationReason
    /// True if the system has lost the exit: status and reason are meaningless.
    var isLost = false
  }

  extension ProcessExit {
    /// Makes the exit that Foundation reports for a process, just after it was told of it.
    init(ofReaped process: Process) {
      self.init(status: process.terminationStatus, reason: process.terminationReason)
      // Foundation reports a success if the system doesn't know the status.
      isLost = status == 0 && reason == .exit && childSignalIsIgnored()
    }
  }

  /// The state of a run after the launch, without process, queue or clock.
  ///
  /// 1. `finish` is returned once: when the exit is known and every end is closed.
  /// 2. No signal is requested after the exit is known, unless a known member of the child's group still runs.
  /// 3. The child's exit closes the input and the watch; the outputs close by themselves, unless the run is stopped.
  /// 4. The run waits a moment for Foundation's report of the exit, so that the process object has it before the result
  ///    is delivered. The system's report counts: Foundation doesn't notice if other code has reaped the child.
  struct ProcessRunState {
    /// An end that is open and has to be closed before the run is over.
    enum End: Hashable, CaseIterable {
      case input, output, error
      /// The watch that reports the child's exit.
      case watch
      /// The other members of the child's group, while they are signaled; it closes by itself.
      case group
    }

    enum Action: Hashable {
      case close(End)
      /// Send a signal; call `stepIsOver` after that time, if there is one.
      case send(ProcessSignal, then: Duration?)
      /// Call `foundationIsLate` after a moment.
      case waitForFoundation
      case finish(ProcessExit)
    }

    /// True if the future was resolved while the child ran.
    private(set) var isStopped = false
    private(set) var exit: ProcessExit?
    private var open: Set<End>
    /// The remaining steps of stopping the child.
    private var steps: ArraySlice<ProcessStopStep>
    private var seen: ProcessExit?
    private var isFinished = false

    init(open: Set<End>, stopping steps: [ProcessStopStep] = []) {
      self.open = open
      self.steps = steps[...]
    }

    /// Notes that the future is resolved, so that no code waits for the child.
    mutating func stop() -> [Action] {
      guard !isStopped, !isFinished else { return [] }
      isStopped = true
      if let seen = exit ?? seen { return ended(seen) }
      return nextStep()
    }

    /// Notes that the time that the child was given to end is over.
    mutating func stepIsOver() -> [Action] {
      exit == nil && seen == nil || open.contains(.group) ? nextStep() : []
    }

    private mutating func nextStep() -> [Action] {
      guard let step = steps.popFirst() else { return [] }
      return [.send(step.signal, then: steps.isEmpty ? nil : step.interval)]
    }

    /// Notes that the system reports the child's exit, regardless of Foundation.
    mutating func systemSaysExited(_ seen: ProcessExit) -> [Action] {
      guard exit == nil, self.seen == nil else { return [] }
      self.seen = seen
      return isStopped ? ended(seen) : [.waitForFoundation]
    }

    /// Notes that Foundation reports the child's exit.
    mutating func foundationSaysExited(_ exit: ProcessExit) -> [Action] {
      self.exit == nil ? ended(seen ?? exit) : []
    }

    /// Notes that Foundation hasn't reported the exit a moment after the system did.
    mutating func foundationIsLate() -> [Action] {
      guard exit == nil, let seen else { return [] }
      return ended(seen)
    }

    /// Notes that members of the child's group are known, and have to end before the run is over.
    mutating func groupRemains() { open.insert(.group) }

    /// Notes that an end is closed.
    mutating func closed(_ end: End) -> [Action] {
      open.remove(end)
      return finishIfOver()
    }

    private mutating func ended(_ exit: ProcessExit) -> [Action] {
      self.exit = exit
      let over: [End] = isStopped ? [.input, .output, .error, .watch] : [.input, .watch]
      return over.filter(open.contains).map { .close($0) } + finishIfOver()
    }

    private mutating func finishIfOver() -> [Action] {
      guard let exit, open.isEmpty, !isFinished else { return [] }
      isFinished = true
      return [.finish(exit)]
    }
  }
#endif
