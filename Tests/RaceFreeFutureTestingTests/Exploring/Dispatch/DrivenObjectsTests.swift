// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import RaceFreeFuture
  @testable import RaceFreeFutureExploring
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Objects of Dispatch that code of an order has made, and that outlive it.
  @Suite(.serialized) struct DrivenObjectsTests {
    /// Made by the first order that uses them.
    private enum Lasting {
      static let target = DispatchQueue(label: "target")
      static let queue = DispatchQueue(label: "shared", target: target)
      static let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      static let group = DispatchGroup()
      static let semaphore = DispatchSemaphore(value: 1)
    }

    private final class Log: @unchecked Sendable {
      var content: [String] = []
    }

    private static func explored(
      _ body: @escaping @Sendable (String, Log) -> Void
    ) async -> (Exploration, Set<[String]>) {
      let seen = Locked<Set<[String]>>([])
      let report = await explore("shared objects") { scenario in
        let log = Log()
        for name in ["a", "b"] { scenario.thread(name) { body(name, log) } }
        scenario.atEnd {
          seen.withLock { _ = $0.insert(log.content) }
          return nil
        }
      }
      return (report, seen.withLock { $0 })
    }

    private static let uses: [String: @Sendable (String, Log) -> Void] = [
      "a queue": { name, log in Lasting.queue.async { log.content.append(name) } },
      "its target": { name, log in
        // One of the two is the target.
        (name == "a" ? Lasting.queue : Lasting.target).sync {
          log.content.append(name)
          Explored.switchPoint()
          log.content.append(name)
        }
      },
      "a concurrent queue": { name, log in Lasting.concurrent.async(flags: .barrier) { log.content.append(name) } },
      "a group": { name, log in
        Lasting.group.enter()
        log.content.append(name)
        Lasting.group.leave()
        Lasting.group.wait()
      },
      "a semaphore": { name, log in
        Lasting.semaphore.wait()
        log.content.append(name)
        Explored.switchPoint()
        log.content.append(name)
        Lasting.semaphore.signal()
      },
    ]

    @Test(arguments: uses.keys.sorted())
    func `One for all is driven in each order, and in the next exploration`(kind: String) async throws {
      let body = try #require(Self.uses[kind])
      let times = kind == "its target" || kind == "a semaphore" ? 2 : 1
      let both = [["a", "b"], ["b", "a"]].map { $0.flatMap { Array(repeating: $0, count: times) } }
      for _ in 0..<2 {
        let (report, seen) = await Self.explored(body)
        #expect(report.passed && report.isComplete && report.uncontrolled == nil && report.orders > 1, "\(report)")
        #expect(seen == Set(both))
      }
      // Others use it as it is.
      body("c", Log())
    }

    @Test(.withoutRecording) func `A count that a failing order leaves is given back`() async {
      let (report, _) = await Self.explored { name, _ in
        Lasting.semaphore.wait()
        if name == "b" { Lasting.semaphore.wait() }
        Lasting.semaphore.signal()
      }
      #expect(report.failure != nil, "\(report)")
      #expect(Lasting.semaphore.wait(timeout: .now()) == .success)
      Lasting.semaphore.signal()
    }

    /// Runs a test in which nobody else explores before it has looked at what is kept: an address may be used again.
    private static func alone(_ body: () async throws -> Void) async throws {
      try await ExplorerTurn.hold { try await ExplorerTurn.runCase(body) }
    }

    @Test func `A queue that the code keeps is driven in the next order, too, and nothing else is kept`() async throws {
      try await Self.alone {
        let kept = DrivenCallsTests.Shared<DispatchQueue?>(nil)
        let groups = Locked<Set<UInt>>([])
        let report = await explore("kept") { scenario in
          let queue = kept.value ?? DispatchQueue(label: "q")
          kept.value = queue
          let group = DispatchGroup()
          groups.withLock { _ = $0.insert(group.address) }
          for name in ["a", "b"] { scenario.thread(name) { queue.async(group: group) {} } }
        }
        #expect(kept.value.map { DrivenObjects.lastingAddresses.contains($0.address) } == true)
        #expect(groups.withLock { !$0.isEmpty && $0.isDisjoint(with: DrivenObjects.lastingAddresses.union([0])) })
        #expect(report.passed && report.isComplete && report.uncontrolled == nil && report.orders > 1, "\(report)")
      }
    }

    @Test func `One of an order alone isn't kept`() async throws {
      try await Self.alone {
        let made = Locked<Set<UInt>>([])
        let note: @Sendable (DispatchObject) -> Void = { object in made.withLock { _ = $0.insert(object.address) } }
        let report = await explore("own objects") { scenario in
          let (queue, group, semaphore) = (DispatchQueue(label: "q"), DispatchGroup(), DispatchSemaphore(value: 1))
          let other = DispatchQueue(label: "other", attributes: .concurrent)
          for object in [queue, group, semaphore, other] { note(object) }
          scenario.thread("a") {
            semaphore.wait()
            queue.async(group: group) { semaphore.signal() }
            group.notify(queue: other) {}
          }
          scenario.thread("b") {
            let queue = DispatchQueue(label: "made in a thread")
            note(queue)
            queue.async { semaphore.signal() }
          }
        }
        #expect(report.passed && report.isComplete && report.orders > 1, "\(report)")
        #expect(made.withLock { $0.isDisjoint(with: DrivenObjects.lastingAddresses) })
        #expect(made.withLock { !$0.contains(0) && $0.count >= 5 })
      }
    }
  }

  extension DispatchObject {
    /// The address of the object of the C library, which Swift's object keeps; 0: there is none.
    var address: UInt {
      let pointers = unsafe Mirror(reflecting: self).children.map { unsafe $0.value as? OpaquePointer }
      return unsafe UInt(bitPattern: pointers.first ?? nil)
    }
  }

  extension DrivenObjects {
    /// The objects that outlive their orders, those of other explorations and of orders that were given up among them.
    static var lastingAddresses: Set<UInt> { lasting.withLock { Set($0.keys) } }
  }
#endif
