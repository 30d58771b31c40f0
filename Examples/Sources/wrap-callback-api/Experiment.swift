// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

/// The results of many calls.
struct Tally: Sendable {
  var returned = 0
  var cancelled = 0
  var abandoned = 0
  var lost = 0
  var doubled = 0
  var leaked = 0

  /// The kinds that are counted, in the order of `counts`, with explanations where necessary.
  static let kinds: [(name: String, meaning: String?)] = [
    ("returned", nil),
    ("cancelled", nil),
    ("abandoned", "the service dropped the callback, and the caller was told so"),
    ("lost", "never returned: nobody resumed the continuation"),
    ("doubled", "resumed again, which stops a program (here it is only counted); or given back again"),
    ("leaked", "leases that were never given back"),
  ]

  var counts: [Int] { [returned, cancelled, abandoned, lost, doubled, leaked] }

  var hasFailures: Bool { lost + doubled + leaked > 0 }

  static func += (total: inout Tally, part: Tally) {
    for count in [\Tally.returned, \.cancelled, \.abandoned, \.lost, \.doubled, \.leaked] as [WritableKeyPath] {
      total[keyPath: count] += part[keyPath: count]
    }
  }
}

/// Many calls of the service, each cancelled at a moment of its own.
struct Experiment {
  let rounds: Int
  let seed: UInt64

  private static let canceller = DispatchQueue(label: "canceller")

  /// Makes all calls, some of them at the same time.
  func run(_ makeWrapper: @escaping @Sendable () -> any Wrapper) async -> Tally {
    let lanes = 32
    return await withTaskGroup(of: Tally.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var tally = Tally()
          for number in stride(from: lane, to: rounds, by: lanes) { tally += await round(number, makeWrapper()) }
          return tally
        }
      }
      return await group.reduce(into: Tally()) { $0 += $1 }
    }
  }

  private func round(_ number: Int, _ wrapper: any Wrapper) async -> Tally {
    // The planned events depend on the numbers alone; the actual ones also on the threads.
    var random = SplitMix64(state: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    let answers = [0, 1, 1, 1, 1, 1, 1, 1, 2, 2].randomElement(using: &random) ?? 1
    let service = Service(answers: answers, after: .microseconds(.random(in: 0..<300, using: &random)))
    let isLeftAlone = Int.random(in: 0..<8, using: &random) == 0
    let moment = DispatchTime.now() + .microseconds(.random(in: 0..<400, using: &random))

    let ending = ValueFuture<Tally>(label: "a call")
    let call = Task {
      ending.complete(with: await outcome(of: wrapper, service))
      service.close()
    }
    let cancellation = Future(label: "a cancellation")
    Self.canceller.asyncAfter(deadline: moment) {
      if !isLeftAlone { call.cancel() }
      cancellation.complete()
    }

    // From here on nothing new can happen: a call that has not been resumed by now never will be.
    _ = await cancellation.outcome
    _ = await service.isOver.outcome
    wrapper.sweep()
    var tally = (try? await ending.value(within: .seconds(30))) ?? Tally(lost: 1)
    tally.doubled = wrapper.secondResumes + service.givenBackTwice
    tally.leaked = service.leasesOut
    return tally
  }

  private func outcome(of wrapper: any Wrapper, _ service: Service) async -> Tally {
    do {
      service.giveBack(try await wrapper.lease(from: service))
      return Tally(returned: 1)
    } catch is CancellationError {
      return Tally(cancelled: 1)
    } catch is AbandonedError {
      return Tally(abandoned: 1)
    } catch {
      return Tally(lost: 1)
    }
  }
}

/// Sebastiano Vigna's generator of random numbers: the same numbers for the same seed everywhere.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
