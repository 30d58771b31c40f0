// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Timers and sources of user data, as they are, in every order.
  @Suite(.serialized) struct DrivenSourceTests {
    private typealias Shared = DrivenCallsTests.Shared

    @Test(arguments: ["add", "or", "replace"]) func `Data is merged until the handler begins`(kind: String) async {
      let seen = Shared<Set<[UInt]>>([])
      let report = await explore(kind) { scenario in
        let (queue, told) = (DispatchQueue(label: "q"), Shared<[UInt]>([]))
        let (source, merge) = Self.source(kind, queue) { told.value.append($0) }
        source.activate()
        scenario.thread("a") { merge(1) }
        scenario.thread("b") { merge(2) }
        scenario.atEnd {
          seen.value.insert(told.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
      let merged: Set<[UInt]> = kind == "replace" ? [[1], [2]] : [[3]]
      #expect(seen.value == merged.union([[1, 2], [2, 1]]), "\(seen.value)")
    }

    private static func source(
      _ kind: String,
      _ queue: DispatchQueue,
      _ tell: @escaping @Sendable (UInt) -> Void
    )
      -> (any DispatchSourceProtocol, @Sendable (UInt) -> Void)
    {
      switch kind {
      case "add":
        let source = Shared(DispatchSource.makeUserDataAddSource(queue: queue))
        source.value.setEventHandler { tell(source.value.data) }
        return (source.value, { source.value.add(data: $0) })
      case "or":
        let source = Shared(DispatchSource.makeUserDataOrSource(queue: queue))
        source.value.setEventHandler { tell(source.value.data) }
        return (source.value, { source.value.or(data: $0) })
      default:
        let source = Shared(DispatchSource.makeUserDataReplaceSource(queue: queue))
        source.value.setEventHandler { tell(source.value.data) }
        return (source.value, { source.value.replace(data: $0) })
      }
    }

    @Test func `A source tells nothing while it is inactive or suspended, and all afterwards`() async {
      let report = await explore("suspended") { scenario in
        let (queue, told) = (DispatchQueue(label: "q"), Shared<[UInt]>([]))
        let source = Shared(DispatchSource.makeUserDataAddSource(queue: queue))
        source.value.setEventHandler { told.value.append(source.value.data) }
        scenario.thread("a") {
          source.value.add(data: 1)
          source.value.add(data: 0)
          queue.sync {}
          told.value.append(100)
          source.value.resume()
          queue.sync {}
          source.value.suspend()
          source.value.add(data: 2)
          source.value.add(data: 3)
          queue.sync {}
          told.value.append(200)
          source.value.resume()
        }
        scenario.atEnd { told.value == [100, 1, 200, 5] ? nil : "\(told.value)" }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test func `Cancellation is told of once, and nothing after it`() async {
      let seen = Shared<Set<String>>([])
      let report = await explore("cancelled") { scenario in
        let (queue, told) = (DispatchQueue(label: "q"), Shared(""))
        let source = Shared(DispatchSource.makeUserDataAddSource(queue: queue))
        source.value.setRegistrationHandler { told.value += "r" }
        source.value.setEventHandler { told.value += "e" }
        source.value.setCancelHandler { told.value += "c" }
        source.value.activate()
        scenario.thread("a") { source.value.add(data: 1) }
        scenario.thread("b") {
          source.value.cancel()
          source.value.cancel()
          if !source.value.isCancelled { told.value += "?" }
        }
        scenario.atEnd {
          seen.value.insert(told.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value == ["c", "rc", "rec"], "\(seen.value)")
    }

    @Test func `What the handler queues before it cancels comes behind the cancellation`() async {
      let report = await explore("cancels itself") { scenario in
        let (queue, told) = (DispatchQueue(label: "q"), Shared(""))
        let timer = Shared(DispatchSource.makeTimerSource(queue: queue))
        timer.value.setEventHandler {
          told.value += "e"
          queue.async { told.value += "b" }
          timer.value.cancel()
        }
        timer.value.setCancelHandler { told.value += "c" }
        timer.value.schedule(deadline: .now() + 1, repeating: 1)
        timer.value.activate()
        scenario.thread("a") { Explored.switchPoint() }
        scenario.atEnd { told.value == "ecb" ? nil : told.value }
      }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
    }

    // MARK: Time

    @Test func `Timers take no time, and a new schedule replaces the old one`() async {
      let began = ContinuousClock.now
      let report = await explore("timers") { scenario in
        let (queue, told) = (DispatchQueue(label: "q"), Shared<[Int]>([]))
        let timers = (0..<2).map { _ in Shared(DispatchSource.makeTimerSource(queue: queue)) }
        for (index, timer) in timers.enumerated() {
          timer.value.setEventHandler { told.value.append(index) }
          timer.value.schedule(deadline: .now() + 3600 * Double(2 - index))
          timer.value.activate()
        }
        // Last, and never.
        timers[0].value.schedule(wallDeadline: .now() + 7200)
        let never = Shared(DispatchSource.makeTimerSource(queue: queue))
        never.value.setEventHandler { told.value.append(9) }
        never.value.schedule(deadline: .distantFuture)
        never.value.activate()
        scenario.thread("a") { Explored.switchPoint() }
        let kept = timers + [never]
        scenario.atEnd {
          kept.contains(where: \.value.isCancelled) || told.value != [1, 0] ? "\(told.value)" : nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(ContinuousClock.now - began < .seconds(600))
    }

    @Test func `A timer that repeats ends with the order`() async {
      let seen = Shared<Set<Int>>([])
      let report = await explore("a heartbeat") { scenario in
        let beats = Shared(0)
        let timer = Shared(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
        timer.value.setEventHandler { beats.value += 1 }
        timer.value.schedule(deadline: .now() + 1, repeating: 1)
        timer.value.activate()
        scenario.thread("a") { Explored.switchPoint() }
        scenario.atEnd {
          seen.value.insert(timer.value.isCancelled ? -1 : beats.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(report.description.contains("no timer fires more than 2 times"), "\(report)")
      // Once, for two times that have come.
      #expect(seen.value == [1, 2], "\(seen.value)")
    }

    @Test func `A timer that repeats goes on while somebody waits for it`() async {
      let report = await explore("the fifth") { scenario in
        let (beats, fifth) = (Shared<UInt>(0), DispatchSemaphore(value: 0))
        let timer = Shared(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
        timer.value.setEventHandler {
          let before = beats.value
          beats.value += timer.value.data
          if before < 5, beats.value >= 5 { fifth.signal() }
        }
        timer.value.schedule(deadline: .now() + 1, repeating: 1)
        timer.value.activate()
        scenario.thread("a") {
          fifth.wait()
          timer.value.cancel()
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
    }

    @Test(.withoutRecording) func `An order that waits for a timer forever has no end`() async {
      let report = await explore("forever") { scenario in
        let never = DispatchSemaphore(value: 0)
        let timer = Shared(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
        timer.value.setEventHandler { if timer.value.data > 100 { never.signal() } }
        timer.value.schedule(deadline: .now() + 1, repeating: 1)
        timer.value.activate()
        scenario.thread("a") { never.wait() }
      }
      #expect(report.failure?.hasPrefix("no end after") == true, "\(report)")
    }

    @Test func `In a body a timer keeps its time while a task sleeps`() async {
      let report = await exploreTasks("ticks") { scenario in
        let beats = Shared<UInt>(0)
        let timer = Shared(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
        timer.value.setEventHandler { beats.value += timer.value.data }
        timer.value.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
        timer.value.activate()
        try await Task.sleep(for: .milliseconds(1_050))
        scenario.check(beats.value == 10, "\(beats.value)")
      }
      #expect(report.passed && report.uncontrolled == nil && report.isComplete, "\(report)")
    }

    // MARK: What stops the program

    @Test(.withoutRecording, arguments: ["resumed too often", "released while suspended", "released while inactive"])
    func `A misuse that stops the program is a failing order`(kind: String) async {
      let report = await explore(kind) { scenario in
        scenario.thread("a") {
          let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "q"))
          if kind != "released while inactive" { source.activate() }
          if kind == "released while suspended" { source.suspend() }
          if kind == "resumed too often" { source.resume() }
        }
      }
      let words = kind == "resumed too often" ? "which isn't suspended" : "is released while it is"
      #expect(report.failure?.contains(words) == true, "\(report)")
    }

    @Test(.withoutRecording) func `A source of files isn't driven`() async {
      let report = await explore("a file") { scenario in
        scenario.thread("a") {
          let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: DispatchQueue(label: "q"))
          source.activate()
          source.cancel()
        }
      }
      #expect(report.uncontrolled?.contains("makes a source of Dispatch") == true, "\(report)")
    }
  }
#endif
