// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import RaceFreeFuture

/// The command `wrap-callback-api`.
@main
struct WrapCallbackAPI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wrap-callback-api",
    abstract: "Wraps a callback API for async twice, by hand and with a future, and counts what goes wrong.",
    discussion: "Lost calls never return, doubled ones are resumed again, and leaked leases aren't given back."
  )

  @Option(help: "The number of calls each way.")
  var rounds = 10_000

  func validate() throws {
    guard (1...1_000_000).contains(rounds) else { throw ValidationError("--rounds is a number from 1 to 1000000") }
  }

  func run() async throws {
    print("by hand:    ", await tally { ByHand() }.words)
    let withFuture = await tally { WithFuture() }
    print("with future:", withFuture.words)
    if withFuture.hasFailures { throw ExitCode.failure }
  }

  /// Makes all calls, 32 at a time.
  private func tally(_ makeWrapper: @escaping @Sendable () -> any Wrapper) async -> Tally {
    await withTaskGroup(of: Tally.self) { group in
      var tally = Tally()
      for round in 0..<rounds {
        if round >= 32, let end = await group.next() { tally.merge(end, uniquingKeysWith: +) }
        group.addTask { await Self.round(makeWrapper()) }
      }
      return await group.reduce(into: tally) { $0.merge($1, uniquingKeysWith: +) }
    }
  }

  private static func round(_ wrapper: any Wrapper) async -> Tally {
    let service = Service()
    let ending = ValueFuture<Ending>(label: "a call")
    let call = Task {
      do {
        service.giveBack(try await wrapper.lease(from: service))
        ending.complete(with: .returned)
      } catch {
        ending.complete(with: error is LostError ? .lost : .ended)
      }
      service.close()
    }
    let cancellation = Future.completing(after: .microseconds(.random(in: 0..<400)))
    cancellation.onComplete(on: .inline) { call.cancel() }
    _ = await cancellation.handlersFinished
    _ = await service.isOver.outcome
    // From here on nothing new can happen: a call that has not been resumed by now never will be.
    let doubled = wrapper.sweep()
    let end = try? await ending.value(within: .seconds(60))
    return [end ?? .lost: 1, .doubled: doubled, .leaked: service.leaks]
  }
}

/// What became of a call; it has ended if it was cancelled, or abandoned by the service.
enum Ending: String, CaseIterable { case returned, ended, lost, doubled, leaked }

/// The numbers of endings.
typealias Tally = [Ending: Int]

extension Tally {
  var hasFailures: Bool { [.lost, .doubled, .leaked].contains { self[$0, default: 0] > 0 } }

  var words: String { Ending.allCases.map { "\(self[$0, default: 0]) \($0)" }.joined(separator: ", ") }
}
