// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// The cache of the guide Sharing work, and the same with a fault.
@Suite struct ImagesTests {
  typealias Load = @Sendable (String, CancelToken) throws -> [UInt8]

  /// Tells whether a cache did what it should, in every order.
  private typealias Exploring = @Sendable (@escaping @Sendable (@escaping Load) -> any ImageCache) async -> Exploration

  /// Two clients ask, and each asks once more if it gets an error, as the first load makes one.
  private static let afterFailure: Exploring = { make in
    await exploreTasks("a failure is loaded again, by one load for all") { scenario in
      let loads = Variable(0)
      let images = make { _, _ in
        loads.value += 1
        if loads.value == 1 { throw Reason("offline") }
        return [UInt8(loads.value)]
      }
      let client: @Sendable () async throws -> [UInt8] = {
        do { return try await images.image("a").value } catch { return try await images.image("a").value }
      }
      async let (first, second) = (client(), client())
      let values = try await [first, second]
      scenario.check(values == [[2], [2]], "the clients have \(values)")
      // What came is kept.
      let third = try await images.image("a").value
      scenario.check(third == [2] && loads.value == 2, "there were \(loads.value) loads")
    }
  }

  /// The only client leaves, another one comes, and while that waits a third one.
  private static let afterLeaving: Exploring = { make in
    await exploreTasks("when the last client has left, the next ones begin one new load") { scenario in
      let loads = Variable(0)
      let images = make { _, _ in
        loads.value += 1
        return [1]
      }
      images.image("a").cancel()
      let first = images.image("a")
      await Task.yield()
      let second = images.image("a")
      _ = try await second.value
      scenario.check(first.isCompleted && loads.value == 1, "\(loads.value) loads, \(first)")
    }
  }

  @Test func `a failure isn't kept, and two clients who ask again at once load once`() async {
    let report = await Self.afterFailure { Images(load: $0) }
    #expect(report.passed, "\(report)")
  }

  @Test func `clients who come when the last one has left begin one new load`() async {
    let report = await Self.afterLeaving { Images(load: $0) }
    #expect(report.passedAllThatDiffer)
  }

  @Test(.withoutRecording, arguments: FaultyImages.Fault.allCases)
  func `a cache with a fault is found out`(fault: FaultyImages.Fault) async {
    for exploring in [Self.afterFailure] + (fault == .forgetsByName ? [Self.afterLeaving] : []) {
      let report = await exploring { FaultyImages(fault, load: $0) }
      #expect(!report.passed)
    }
  }

  @Test(arguments: [true, false])
  func `the clean-up of older work, which comes late, doesn't remove the newer one`(isRight: Bool) throws {
    try withManualControl { control in
      let loads = Mutex(0)
      let load: Load = { _, _ in
        loads.withLock { $0 += 1 }
        return [1]
      }
      let images: any ImageCache = isRight ? Images(load: load) : FaultyImages(.forgetsByName, load: load)
      images.image("a").cancel()
      // The clean-up waits in the queue of the older work, until all run.
      let newer = images.image("a")
      #expect(control.pending.count >= 2)
      control.runAll()
      let joined = images.image("a")
      control.runAll()
      let values = try [newer.result?.get(), joined.result?.get()]
      #expect(values == [[1], [1]])
      #expect(loads.withLock { $0 } == (isRight ? 1 : 2))
    }
  }

  @Test func `callers on two threads get the same work`() async {
    await race(
      "two callers load once",
      .init(rounds: iterations(5_000)),
      make: { LoadingRound() },
      actors: { $0.images.image("a") },
      { $0.images.image("a") },
      outcome: { round, first, second in
        _ = (try? first.wait(), try? second.wait())
        return Outcomes(round.loads.events.count, first.isCompleted && second.isCompleted)
      },
      expect: [.acceptable((1, true), "one load")]
    )
  }

  private final class LoadingRound: Sendable {
    let loads = EventLog<Int>()
    let images: Images

    init() {
      images = Images { [loads] _, _ in
        loads.add(1)
        return [1]
      }
    }
  }
}

private protocol ImageCache: Sendable {
  func image(_ name: String) -> ValueFuture<[UInt8]>
}

extension Images: ImageCache {}

/// The cache with a fault.
final class FaultyImages: ImageCache {
  enum Fault: CaseIterable {
    /// Its clean-up removes whatever has the name.
    case forgetsByName
    /// It relies on the clean-up, which may come after the next client.
    case joinsFailures
  }

  private let running = Mutex<[String: SharedFuture<[UInt8]>]>([:])
  private let load: ImagesTests.Load
  private let fault: Fault

  init(_ fault: Fault, load: @escaping ImagesTests.Load) {
    self.fault = fault
    self.load = load
  }

  func image(_ name: String) -> ValueFuture<[UInt8]> {
    running.withLock { running in
      if let joiner = running[name]?.join() {
        guard fault != .joinsFailures, case .failure? = joiner.result else { return joiner }
      }
      let work = ValueFuture<[UInt8]>.lazy(label: name) { [load] token in try load(name, token) }
      let shared = SharedFuture(work)
      running[name] = shared
      work.onFailure { [weak shared] _ in self.forget(name, shared) }
      work.onCancel { [weak shared] in self.forget(name, shared) }
      return shared.join() ?? work
    }
  }

  private func forget(_ name: String, _ shared: SharedFuture<[UInt8]>?) {
    running.withLock { running in
      if fault == .forgetsByName || running[name] === shared { running[name] = nil }
    }
  }
}
