// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Dispatch
  internal import Foundation
  internal import RaceFreeFuture

  /// One run of a process: performs the actions that `ProcessRunState` returns.
  ///
  /// `@unchecked Sendable`: everything that changes is used on `queue` only. The process, which has no thread of its
  /// own, is used by `launch`, then only by Foundation and the termination handler.
  final class ProcessRun: @unchecked Sendable {
    /// The queue on which processes are launched, one at a time.
    ///
    /// Foundation tells each child which descriptors to close, and a descriptor that another launch opens meanwhile
    /// would be missed: that child would keep an unrelated pipe open.
    static let launches = DispatchQueue(label: "RaceFreeFutureFoundation.launches")

    /// The time that Foundation is given to notice an exit that the system has reported.
    private static let foundationDelay = Duration.milliseconds(200)

    private let queue = DispatchQueue(label: "RaceFreeFutureFoundation.run")
    private let process: Process
    private let future: ValueFuture<ProcessResult>
    private let steps: [ProcessStopStep]
    private let stopsGroup: Bool
    private let onUndelivered: (@Sendable (ProcessResult?) -> Void)?

    /// Keeps the future open until the run is over; from the launch on in the name of the child.
    private var activity: Activity
    private var state = ProcessRunState(open: [])
    private var child: ChildProcess?
    private var group: ProcessGroup?
    private var writer: PipeWriter?
    /// The task that writes the input, if a user's closure does.
    private var inputTask: InputTask?
    private var readers: [ProcessRunState.End: PipeReader] = [:]
    private var collected: [ProcessRunState.End: Data] = [:]
    private var texts: [ProcessRunState.End: OutputText] = [:]
    private var timer: (any DispatchSourceTimer)?

    init(
      _ process: Process,
      _ future: ValueFuture<ProcessResult>,
      stopping steps: [ProcessStopStep],
      stopsGroup: Bool,
      activity: Activity,
      onUndelivered: (@Sendable (ProcessResult?) -> Void)?
    ) {
      self.process = process
      self.future = future
      self.steps = steps
      self.stopsGroup = stopsGroup
      self.activity = activity
      self.onUndelivered = onUndelivered
    }

    /// Launches the process, unless the future is resolved.
    ///
    /// Called once, on `launches`. Events of the child are queued until it has been launched.
    func start(input: ProcessInput, output: ProcessOutput, error: ProcessOutput) {
      guard future.isPending else {
        queue.async { [self] in
          onUndelivered?(nil)
          activity.end()
        }
        return
      }
      do {
        try queue.sync { try launch(input, output, error) }
        // If the future has been resolved meanwhile, this handler is a late one, and has run when the call returns.
        future.onCleanUp(on: .inline) { [self] in
          queue.async { [self] in stop() }
        }
      } catch {
        // Not here: it may have to wait for a block of the user.
        queue.async { [self] in
          if !future.tryComplete(throwing: error) { onUndelivered?(nil) }
          activity.end()
        }
      }
    }
  }

  // MARK: - Launch

  extension ProcessRun {
    private func launch(_ input: ProcessInput, _ output: ProcessOutput, _ error: ProcessOutput) throws {
      guard process.processIdentifier == 0 else {
        throw ProcessStartedError(processIdentifier: process.processIdentifier)
      }
      guard process.executableURL != nil else { throw CocoaError(.fileNoSuchFile) }
      if childSignalIsIgnored() { throw ProcessRunError.childSignalIgnored }
      try checkLaunch(of: process)
      try openStandardStreams()
      let monitor = try DescriptorMonitor.start()
      let before = (process.standardInput, process.standardOutput, process.standardError, process.terminationHandler)
      var pipes: [ProcessRunState.End: ProcessPipe] = [:]
      var file: FileHandle?
      do {
        switch input {
        case .unchanged: break
        case .null: process.standardInput = FileHandle.nullDevice
        case .file(let url):
          file = try FileHandle(forInputFrom: url)
          process.standardInput = file
        case .data, .written:
          let pipe = try ProcessPipe(reading: false)
          pipes[.input] = pipe
          process.standardInput = pipe.childs
        }
        if let handle = try handle(for: output, .output, &pipes) { process.standardOutput = handle }
        if let handle = try handle(for: error, .error, &pipes) { process.standardError = handle }
        let handler = process.terminationHandler
        process.terminationHandler = { [self] process in
          let exit = ProcessExit(ofReaped: process)
          handler?(process)
          // It holds the run, and the run the process.
          process.terminationHandler = nil
          queue.async { [self] in perform(state.foundationSaysExited(exit)) }
        }
        try monitor.checkSpareDescriptors()
        try withSignalsForChild { try process.run() }
      } catch {
        for pipe in pipes.values { pipe.close() }
        try? file?.close()
        (process.standardInput, process.standardOutput, process.standardError, process.terminationHandler) = before
        throw error
      }
      for pipe in pipes.values { pipe.closeChilds() }
      try? file?.close()
      begin(pipes, input, [.output: output, .error: error], monitor)
    }

    /// Returns the handle to set for one of the process' outputs; nil: leave it unchanged.
    private func handle(
      for output: ProcessOutput,
      _ end: ProcessRunState.End,
      _ pipes: inout [ProcessRunState.End: ProcessPipe]
    ) throws -> FileHandle? {
      switch output {
      case .unchanged: return nil
      case .discarded: return .nullDevice
      case .collected, .streamed, .lines, .text:
        let pipe = try ProcessPipe(reading: true)
        pipes[end] = pipe
        return pipe.childs
      }
    }

    private func begin(
      _ pipes: [ProcessRunState.End: ProcessPipe],
      _ input: ProcessInput,
      _ outputs: [ProcessRunState.End: ProcessOutput],
      _ monitor: DescriptorMonitor
    ) {
      if stopsGroup {
        group = ProcessGroup(process.processIdentifier, on: queue, monitor) { [self] in perform(state.closed(.group)) }
      }
      let child = ChildProcess(process.processIdentifier, group: group)
      self.child = child
      // The one for the launch ends when this one has begun.
      activity = future.beginActivity(ofLibrary: "process \(process.processIdentifier)")
      state = ProcessRunState(open: Set(pipes.keys).union(child.canBeWatched ? [.watch] : []), stopping: steps)
      child.watch(on: queue, monitor) { [self] exit in
        perform(state.systemSaysExited(exit))
      } onClosed: { [self] in
        perform(state.closed(.watch))
      }
      for (end, pipe) in pipes {
        let watched = WatchedDescriptor(pipe.own, on: queue, monitor) { [self] in
          if let output = outputs[end] { finishText(of: end, output) } else { inputTask?.cancel() }
          perform(state.closed(end))
        }
        if end == .input {
          writer = PipeWriter(to: watched)
        } else if let output = outputs[end] {
          readers[end] = unsafe PipeReader(watched) { [self] bytes in unsafe take(bytes, of: end, output) }
        }
      }
      // Behind the launch: from here on handlers of a user run.
      queue.async { [self] in
        startInput(input)
        for reader in readers.values { reader.start() }
      }
    }
  }

  // MARK: - Work

  extension ProcessRun {
    private func take(_ bytes: UnsafeRawBufferPointer, of end: ProcessRunState.End, _ output: ProcessOutput) {
      if case .collected(let limit) = output { return unsafe collect(bytes, of: end, limit) }
      // Dropped, but read: otherwise the child couldn't write its last output, and wouldn't end.
      if state.isStopped { return }
      switch output {
      case .streamed(let handler):
        let piece = unsafe Data(bytes)
        deliver(piece, to: handler)
      case .lines(let limit, let handler):
        let piece = unsafe Data(bytes)
        let (lines, isTooLong) = texts[end, default: OutputText(.lines(limit: limit))].append(piece)
        for line in lines where future.isPending { deliver(line, to: handler) }
        if isTooLong { give(up: .lineTooLong(end == .error ? .error : .output, limit: limit)) }
      case .text(let handler):
        let piece = unsafe Data(bytes)
        let pieces = texts[end, default: OutputText(.pieces)].append(piece).texts
        for text in pieces { deliver(text, to: handler) }
      case .collected, .unchanged, .discarded: break
      }
    }

    /// Collects as much of an output as its limit allows, also while the child is being stopped, if somebody gets it.
    private func collect(_ bytes: UnsafeRawBufferPointer, of end: ProcessRunState.End, _ limit: Int) {
      if state.isStopped, onUndelivered == nil { return }
      let count = min(bytes.count, max(0, limit - collected[end, default: Data()].count))
      unsafe collected[end, default: Data()].append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
      if count < bytes.count, !state.isStopped {
        give(up: .outputTooLong(end == .error ? .error : .output, limit: limit))
      }
    }

    private func startInput(_ input: ProcessInput) {
      guard let writer else { return }
      switch input {
      case .data(let data): writer.write(data) { _ in writer.close() }
      // It may have been stopped meanwhile.
      case .written where state.isStopped: writer.close()
      case .written(let body):
        let activity = future.beginActivity(ofLibrary: "input of process \(process.processIdentifier)")
        inputTask = InputTask(body, to: writer, on: queue, activity) { [self] error in
          future.end(throwing: error)
          stop()
        }
      case .unchanged, .null, .file: break
      }
    }

    /// Calls a user's handler in a turn, unless the future is resolved.
    private func deliver<Piece: Sendable>(_ piece: Piece, to handler: @Sendable (Piece) -> Void) {
      future.performAndWait {
        if future.isPending { handler(piece) }
      }
    }

    /// Delivers the rest of an output that has ended.
    private func finishText(of end: ProcessRunState.End, _ output: ProcessOutput) {
      guard let text = texts[end]?.finish(), !state.isStopped else { return }
      switch output {
      case .lines(_, let handler), .text(let handler): deliver(text, to: handler)
      case .collected, .streamed, .unchanged, .discarded: break
      }
    }

    private func give(up error: ProcessRunError) {
      future.complete(throwing: error)
      // Now, because resolving may have to wait for a block of the user.
      stop()
    }

    /// Begins to stop the child, because the future is resolved.
    private func stop() {
      let actions = state.stop()
      // Also if the child is left to end by itself: for that it may need the end of its input.
      if state.isStopped { inputTask?.cancel() }
      perform(actions)
    }

    private func perform(_ actions: [ProcessRunState.Action]) {
      for action in actions {
        switch action {
        case .close(.input): writer?.close()
        case .close(.watch): child?.close()
        case .close(let end): readers[end]?.finish()
        case .send(let signal, let interval):
          if onUndelivered == nil { collected = [:] }
          child?.send(signal.rawValue)
          // Processes that have left the group, or ignore the last signal, would keep the run forever.
          if interval == nil, signal != .kill { group?.forget() } else { group?.forgetLeavers() }
          if group?.isWatched == true { state.groupRemains() }
          guard let interval else { break }
          setTimer(interval) { [self] in perform(state.stepIsOver()) }
        case .waitForFoundation:
          setTimer(Self.foundationDelay) { [self] in perform(state.foundationIsLate()) }
        case .finish(let exit): finish(exit)
        }
      }
    }

    private func setTimer(_ interval: Duration, _ body: @escaping () -> Void) {
      timer?.cancel()
      let timer = DispatchSource.makeTimerSource(queue: queue)
      // Dispatch releases the handler, and with it the timer, when the timer is cancelled.
      timer.setEventHandler {
        timer.cancel()
        body()
      }
      timer.schedule(deadline: .after(interval))
      timer.activate()
      self.timer = timer
    }

    private func finish(_ exit: ProcessExit) {
      let result = ProcessResult(
        terminationStatus: exit.status,
        terminationReason: exit.reason,
        standardOutput: collected[.output] ?? Data(),
        standardError: collected[.error] ?? Data()
      )
      timer?.cancel()
      timer = nil
      child = nil
      group = nil
      writer = nil
      inputTask = nil
      readers = [:]
      collected = [:]
      if exit.isLost { future.complete(throwing: ProcessRunError.exitStatusLost) }
      // No effect after that, or if the future was resolved before: then the result is undelivered.
      future.complete(with: result)
      activity.end()
    }
  }
#endif
