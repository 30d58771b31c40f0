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
    /// The process is launched on a queue of this module; callable from any thread, and no thread waits for the child.
    /// The future completes when the child has exited *and* its output has been read to the end; a status other than 0
    /// is a value, too. It fails if the process can't be launched: with the error that `run()` throws,
    /// ``ProcessStartedError``, ``ProcessRunError``, or `POSIXError.EINVAL` if an argument or a variable contains a NUL
    /// character, or the name of a variable an equals sign.
    ///
    /// If the future is resolved before the launch, the process is never started. If it is resolved later, the child
    /// gets the signal TERM and, if it still runs after five seconds, the signal KILL, unless `stopping` says
    /// otherwise. The future is cancelled at once; the child ends a little later. Until then the run is an activity of
    /// the future, for which `drain()` and `handlersFinished` wait.
    ///
    /// A grandchild may keep the pipes open after the child's exit. The future then stays pending until the grandchild
    /// closes them as well; if it is cancelled, the run closes them at once. See <doc:RunningProcesses>.
    ///
    /// From this call on, don't change the process, don't terminate it by its own methods, and take the status from the
    /// result. Its `terminationHandler`, set before this call, is called as usual. The run keeps the future: dropping
    /// it changes nothing.
    ///
    /// - Parameters:
    ///   - input: The source of the child's standard input.
    ///   - output: The destination of its standard output.
    ///   - error: The destination of its standard error.
    ///   - steps: The steps that stop the child: the signals that it gets, one after the other, as long as it runs. If
    ///     the last one isn't KILL, it may run forever.
    ///   - stopsGroup: True to send the signals to the whole process group of the child: also to processes that it
    ///     started, unless they have left the group. If the child exits before the first signal, the others get none.
    ///     On Linux, the steps go on after the child's exit; elsewhere they end with the child.
    ///   - label: A name for descriptions and errors; without one it is that of the executable file.
    ///   - onUndelivered: Called once, on a queue of the run, when the run is over, if the outcome of the future isn't
    ///     the result of the child: with the result, which has the output so far, or with nil if nothing was started.
    ///     It also gets a result that was dropped with the future. It isn't called if the future fails with the error
    ///     that prevented the launch.
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
