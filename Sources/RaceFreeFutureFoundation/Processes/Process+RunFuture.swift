// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  public import Foundation
  public import RaceFreeFuture

  extension Process {
    /// Runs this process, which has not been started yet; cancelling the future terminates it.
    ///
    /// ```swift
    /// let process = Process()
    /// process.executableURL = URL(fileURLWithPath: "/bin/ls")
    /// let listing = process.runFuture().map { try $0.checkSuccess().standardOutput }
    /// ```
    ///
    /// The process is launched on a queue of this module, one process at a time. The future completes when the child
    /// has exited *and* its output has been read to the end; a status other than 0 is a value, too. It fails if the
    /// process can't be launched: with the error that `run()` throws, ``ProcessStartedError``, ``ProcessRunError``, or
    /// `POSIXError.EINVAL` if an argument or a variable contains a NUL character, or the
    /// name of a variable an equals sign.
    ///
    /// If the future is resolved before the launch, the process is never started. If it is resolved later, by a
    /// cancellation or because other code completed it, the child is stopped in steps: it gets the signal TERM and, if
    /// it still runs after five seconds, the signal KILL, unless `stopping` says otherwise. Its output is still read
    /// until it has exited: collected for `onUndelivered`, if that is given, and otherwise dropped. The future is
    /// cancelled at once; the child ends a little later. `onUndelivered` is called when it has exited and everything
    /// that belonged to the run is closed, or when there never was a child. Until then the run is an activity of the
    /// future, for which `drain()` and `handlersFinished` wait.
    ///
    /// A grandchild, a process that the child started, may keep the pipes open after the child's exit. The future then
    /// stays pending until the grandchild closes them as well; if it is cancelled, the run closes them at once and is
    /// over. A grandchild that doesn't have the pipes is not waited for, except by Foundation on Linux before 5.4. On
    /// Linux, as long as a grandchild lives and hasn't closed what it has inherited, Foundation keeps a descriptor and
    /// doesn't reap the child: see <doc:RunningProcesses>.
    ///
    /// The process belongs to the run from this call on: don't change it, don't terminate it by its own methods, and
    /// take the status from the result. Its `terminationHandler`, set before this call, is called as usual, also after
    /// a cancellation. The future is kept by the run: dropping it changes nothing.
    ///
    /// Callable from any thread; returns at once, and no thread waits for the child.
    ///
    /// - Parameters:
    ///   - input: The source of the child's standard input.
    ///   - output: The destination of its standard output.
    ///   - error: The destination of its standard error.
    ///   - steps: The steps that stop the child: the signals that it gets, one after the other, as long as it runs. If
    ///     the last one isn't KILL, it may run forever.
    ///   - stopsGroup: True to send the signals to the whole process group of the child: also to processes that it
    ///     started, unless they have left the group. False to send them to the child alone. If the child exits before
    ///     the first signal, the others get none. On Linux, the steps go on after the child's exit for processes that
    ///     were in the group when a signal was sent, and the run is over when they have ended; if the last signal isn't
    ///     KILL, it doesn't wait for them. Elsewhere the steps end with the child.
    ///   - label: A name for descriptions and errors; without one it is that of the executable file.
    ///   - onUndelivered: Called once, when the run is over, if the outcome of the future isn't the result of the child:
    ///     with the result that won't be delivered, which has what was collected of the output, or with nil if nothing was
    ///     started. It also gets a result that was dropped with the future. It isn't called for an error that prevented the launch, if the future fails with
    ///     that error. It runs on a queue of the run. A cancelled run that hasn't called it either waits for its launch
    ///     or has a child that still exists.
    /// - Returns: The future of the result.
    public func runFuture(
      input: ProcessInput = .unchanged,
      output: ProcessOutput = .collected,
      error: ProcessOutput = .collected,
      stopping steps: [ProcessStopStep] = [.send(.terminate, allowing: .seconds(5)), .send(.kill)],
      stopsGroup: Bool = false,
      label: String? = nil,
      onUndelivered: (@Sendable (ProcessResult?) -> Void)? = nil,
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) -> ValueFuture<ProcessResult> {
      let future = ValueFuture<ProcessResult>(
        label: label ?? executableURL?.lastPathComponent,
        onUndelivered: onUndelivered,
        fileID: fileID,
        line: line
      )
      let run = ProcessRun(
        self,
        future,
        stopping: steps,
        stopsGroup: stopsGroup,
        activity: future.beginActivity("launch", fileID: fileID, line: line),
        onUndelivered: onUndelivered
      )
      ProcessRun.launches.async { run.start(input: input, output: output, error: error) }
      return future
    }
  }
#endif
