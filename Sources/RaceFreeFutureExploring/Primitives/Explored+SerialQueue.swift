// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

extension Explored {
  /// A queue that runs one block after the other, in place of a serial `DispatchQueue`.
  ///
  /// In an exploration it has a column of its own: each block begins in a step of the queue, and is a thread like those
  /// of the scenario. A `sync` on the queue that runs the caller, and a cycle of queues that wait for each other, are
  /// failures of the order and don't stop the program.
  public final class SerialQueue: @unchecked Sendable {
    private struct Block {
      /// Nil: a caller of `sync` that waits for its turn.
      let work: (@Sendable () -> Void)?
      let ticket: Int
      let released: MemoryModel.Knowledge
    }

    private let label: String
    private let real: DispatchQueue
    // In an exploration all that follows is used by the one thread that runs.
    private let identity: ExploredIdentity
    private var line: [Block] = []
    private var tickets = 0
    private var worker: ExploredThread?
    /// The thread that runs on the queue: its own thread, or one that called `sync`.
    private var holder: ExploredThread?
    /// The knowledge that the previous block released.
    private var released = MemoryModel.Knowledge()

    /// Creates a queue.
    ///
    /// - Parameter label: Its name, also in the diagram.
    public init(label: String, fileID: StaticString = #fileID, line: UInt = #line) {
      self.label = label
      real = OwnSemaphore.unnoticed { DispatchQueue(label: label) }
      identity = ExploredIdentity("queue", label: "queue \"\(label)\"", fileID, line)
      if let place = ExploredPlace.current { enter(place, isBeingMade: true) }
    }

    private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
      guard identity.enter(place, isBeingMade: isBeingMade) else { return }
      (line, tickets, worker, holder, released) = ([], 0, nil, nil, MemoryModel.Knowledge())
    }

    /// Queues a block, and returns at once.
    ///
    /// - Parameter work: The block to run.
    public func async(execute work: @escaping @Sendable () -> Void) {
      guard let place = ExploredPlace.current else { return real.async(execute: work) }
      enter(place)
      if let thread = place.thread { _ = thread.take(operation("async", of: thread)) }
      putInLine(work, place)
      if worker == nil {
        worker = place.run.addService(label, by: place.thread, before: nextBlock()) { [self] in serve() }
      }
    }

    /// Runs a block after those that are queued, on the calling thread, and returns its result.
    ///
    /// - Parameter work: The block to run.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    public func sync<Result, E: Error>(execute work: () throws(E) -> Result) throws(E) -> Result {
      guard let place = ExploredPlace.current else {
        // `DispatchQueue.sync` rethrows any error, so the typed one is carried past it.
        var result: Swift.Result<Result, E>?
        real.sync {
          do throws(E) { result = .success(try work()) } catch { result = .failure(error) }
        }
        guard let result else { fatalError("a queue has returned without having run its block") }
        return try result.get()
      }
      enter(place)
      guard let thread = place.thread else {
        if !line.isEmpty || holder != nil {
          place.run.cannotWait(
            "\(place.run.currentStep) waits for its turn on \(identity.name), and nobody else acts before it is over"
          )
        }
        place.run.threads.memory.acquire(released, by: 0)
        defer { released = place.run.threads.memory.release(by: 0) }
        return try work()
      }
      _ = thread.take(operation("sync", of: thread))
      if holder === thread {
        thread.fail(
          "\"\(place.run.title(of: thread.line))\" calls sync on \(identity.name), on which it runs: it waits for itself"
        )
      }
      let ticket = putInLine(nil, place)
      var turn = operation("sync begins", of: thread)
      turn.touches = identity.waits
      turn.ways = { [self] in holder == nil && line.first?.ticket == ticket ? [0] : [] }
      turn.waits = { [self] in
        let who = holder.map { ", on which \"\(thread.run.title(of: $0.line))\" runs" } ?? ""
        return "waits for its turn on \(identity.name)\(who)"
      }
      _ = thread.take(turn)
      begin(line.removeFirst(), by: thread)
      defer {
        _ = thread.take(operation("sync ends", of: thread))
        end(by: thread)
      }
      return try work()
    }

    // MARK: In an exploration

    @discardableResult
    private func putInLine(_ work: (@Sendable () -> Void)?, _ place: ExploredPlace) -> Int {
      tickets += 1
      let released = place.run.threads.memory.release(by: place.thread?.number ?? 0)
      line.append(Block(work: work, ticket: tickets, released: released))
      return tickets
    }

    private func begin(_ block: Block, by thread: ExploredThread) {
      holder = thread
      thread.run.threads.memory.acquire(block.released, by: thread.number)
      thread.run.threads.memory.acquire(released, by: thread.number)
    }

    private func end(by thread: ExploredThread) {
      holder = nil
      released = thread.run.threads.memory.release(by: thread.number)
    }

    /// The body of the queue's own thread.
    private func serve() {
      guard let thread = ExploredPlace.current?.thread else { return }
      var way = thread.way
      while way != ThreadOperation.end {
        let block = line.removeFirst()
        begin(block, by: thread)
        block.work?()
        _ = thread.take(operation("ends a block", of: thread))
        end(by: thread)
        way = thread.take(nextBlock())
      }
    }

    private func nextBlock() -> ThreadOperation {
      ThreadOperation(
        label: { "begins a block" },
        touches: identity.waits,
        ways: { [self] in holder == nil && line.first?.work != nil ? [0] : [] },
        waits: { [self] in "can't begin its next block of \(identity.name)" },
        isIdle: true
      )
    }

    private func operation(_ verb: String, of thread: ExploredThread) -> ThreadOperation {
      identity.isUsed(by: thread)
      let name = identity.name
      let isOwn = thread === worker
      return ThreadOperation(label: { isOwn ? verb : "\(name).\(verb)" }, touches: identity.changes)
    }
  }
}
