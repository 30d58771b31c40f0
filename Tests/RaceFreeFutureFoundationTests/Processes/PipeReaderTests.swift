// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import Testing

  @testable import RaceFreeFutureFoundation

  @Suite struct PipeReaderTests {
    private let queue = DispatchQueue(label: "run")
    private let closed = Gate("the pipe is closed")
    private let pieces = EventLog<Data>()

    /// Finishes a reader that never got a turn, while a child still has the pipe.
    private func finish(_ pipe: ProcessPipe, _ onPiece: @escaping @Sendable () -> Void = {}) throws {
      let monitor = try ProcessRun.launches.sync { try DescriptorMonitor.start() }
      queue.sync {
        let watched = WatchedDescriptor(pipe.own, on: queue, monitor) { closed.open() }
        let reader = unsafe PipeReader(watched) { bytes in
          pieces.add(unsafe Data(bytes))
          onPiece()
        }
        reader.finish()
        #expect(watched.isClosed)
      }
    }

    @Test func `what was in the pipe is read before it is closed, and no end is waited for`() async throws {
      let pipe = try ProcessPipe(reading: true)
      try pipe.childs.write(contentsOf: Data("the last words".utf8))
      try finish(pipe)
      await closed.passed()
      #expect(pieces.events == [Data("the last words".utf8)])
      pipe.closeChilds()
    }

    @Test func `somebody who goes on writing isn't read forever`() async throws {
      let pipe = try ProcessPipe(reading: true)
      let more = Data(count: 1_000)
      try pipe.childs.write(contentsOf: more)
      let childs = pipe.childs
      try finish(pipe) { try? childs.write(contentsOf: more) }
      await closed.passed()
      #expect(pieces.events.count == 16)
      pipe.closeChilds()
    }
  }
#endif
