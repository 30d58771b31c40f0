// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation
  internal import RaceFreeFuture

  /// How a child ended.
  struct ProcessExit: Hashable, Sendable {
    var status: Int32
    var reason: Process.TerminationReason
    /// The system has forgotten it: status and reason mean nothing.
    var isLost = false
  }

  extension ProcessExit {
    /// What Foundation says of a process, just after it was told of the exit.
    init(ofReaped process: Process) {
      self.init(status: process.terminationStatus, reason: process.terminationReason)
      // Foundation takes it for a success if the system doesn't know.
      isLost = status == 0 && reason == .exit && childSignalIsIgnored()
    }
  }

  /// What is known of a run after the launch, without process, queue or clock.
  ///
  /// 1. `finish` is answered once: when the exit is known and every end is closed.
  /// 2. No signal is asked for after the exit is known.
  /// 3. The child's exit closes the input and the watch; the outputs close by themselves, unless the run is stopped.
  /// 4. Foundation's word about the exit is waited for a moment, so that the process object has it before the result is
  ///    out. What the system said counts: Foundation doesn't notice if somebody else took the child's status away.
  struct ProcessRunState {
    /// Something that is open and has to be closed before the run is over.
    enum End: Hashable, CaseIterable {
      case input, output, error
      /// What tells of the child's exit.
      case watch
    }

    enum Action: Hashable {
      case close(End)
      /// Send a signal; come back with `stepIsOver` after that time, if there is one.
      case send(ProcessSignal, then: Duration?)
      /// Come back with `foundationIsLate` after a moment.
      case waitForFoundation
      case finish(ProcessExit)
    }

    /// Whether the future was decided while the child ran.
    private(set) var isStopped = false
    private(set) var exit: ProcessExit?
    private var open: Set<End>
    /// How the child is stopped, as far as that hasn't been done.
    private var steps: ArraySlice<ProcessStopStep>
    private var seen: ProcessExit?
    private var isFinished = false

    init(open: Set<End>, stopping steps: [ProcessStopStep] = []) {
      self.open = open
      self.steps = steps[...]
    }

    /// The future is decided, so that nobody waits for the child.
    mutating func stop() -> [Action] {
      guard !isStopped, !isFinished else { return [] }
      isStopped = true
      if let seen = exit ?? seen { return ended(seen) }
      return nextStep()
    }

    /// The child has had the time that it was given to end.
    mutating func stepIsOver() -> [Action] { exit == nil && seen == nil ? nextStep() : [] }

    private mutating func nextStep() -> [Action] {
      guard let step = steps.popFirst() else { return [] }
      return [.send(step.signal, then: steps.isEmpty ? nil : step.interval)]
    }

    /// The system says that the child has exited, whatever Foundation says.
    mutating func systemSaysExited(_ seen: ProcessExit) -> [Action] {
      guard exit == nil, self.seen == nil else { return [] }
      self.seen = seen
      return isStopped ? ended(seen) : [.waitForFoundation]
    }

    /// Foundation says that the child has exited.
    mutating func foundationSaysExited(_ exit: ProcessExit) -> [Action] {
      self.exit == nil ? ended(seen ?? exit) : []
    }

    /// Foundation has said nothing for a moment after the system had.
    mutating func foundationIsLate() -> [Action] {
      guard exit == nil, let seen else { return [] }
      return ended(seen)
    }

    /// An end is closed.
    mutating func closed(_ end: End) -> [Action] {
      open.remove(end)
      return finishIfOver()
    }

    private mutating func ended(_ exit: ProcessExit) -> [Action] {
      self.exit = exit
      let over: [End] = isStopped ? End.allCases : [.input, .watch]
      return over.filter(open.contains).map { .close($0) } + finishIfOver()
    }

    private mutating func finishIfOver() -> [Action] {
      guard let exit, open.isEmpty, !isFinished else { return [] }
      isFinished = true
      return [.finish(exit)]
    }
  }
#endif
