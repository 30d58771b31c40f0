// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import RaceFreeFuture

/// The command `wrap-callback-api`.
@main
struct WrapCallbackAPI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wrap-callback-api",
    abstract: "Wraps a callback API for async twice, by hand and with a future, and counts what goes wrong.",
    discussion: """
      Most calls are cancelled, each at a random moment. Lost: a call that never returned. Doubled: a continuation that was \
      resumed again, which stops a program (here it is only counted). Leaked: a lease that was never given back, or twice.

      EXIT STATUS: 1 if anything went wrong with the future
      """
  )

  @Option(help: "The number of calls each way.")
  var rounds = 10_000

  func validate() throws {
    guard (1...1_000_000).contains(rounds) else { throw ValidationError("--rounds is a number from 1 to 1000000") }
  }

  func run() async throws {
    let byHand = await tally { ByHand() }
    let withFuture = await tally { WithFuture() }
    print("by hand:     \(byHand.words)")
    print("with future: \(withFuture.words)")
    if withFuture.hasFailures { throw ExitCode.failure }
  }

  /// Makes all calls, many of them at the same time.
  private func tally(_ makeWrapper: @escaping @Sendable () -> any Wrapper) async -> Tally {
    await withTaskGroup(of: Tally.self) { group in
      for lane in 0..<32 {
        group.addTask { [rounds] in
          var tally = Tally()
          for _ in stride(from: lane, to: rounds, by: 32) {
            tally.merge(await Self.round(makeWrapper()), uniquingKeysWith: +)
          }
          return tally
        }
      }
      return await group.reduce(into: Tally()) { $0.merge($1, uniquingKeysWith: +) }
    }
  }

  private static func round(_ wrapper: any Wrapper) async -> Tally {
    let service = Service(answers: .random(in: 0...2), after: .microseconds(.random(in: 0..<300)))
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
    let cancellation = Future(label: "a cancellation")
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(.random(in: 0..<400))) {
      call.cancel()
      cancellation.complete()
    }
    // From here on nothing new can happen: a call that has not been resumed by now never will be.
    _ = await cancellation.outcome
    _ = await service.isOver.outcome
    wrapper.sweep()
    var tally = [(try? await ending.value(within: .seconds(60))) ?? .lost: 1]
    tally[.doubled] = wrapper.secondResumes
    tally[.leaked] = service.leaks
    return tally
  }
}

/// What became of a call.
enum Ending: String, CaseIterable {
  /// Ended means: cancelled, or abandoned by the service.
  case returned, ended, lost, doubled, leaked
}

/// The numbers of endings.
typealias Tally = [Ending: Int]

extension Tally {
  var hasFailures: Bool { [.lost, .doubled, .leaked].contains { self[$0, default: 0] > 0 } }

  var words: String { Ending.allCases.map { "\(self[$0, default: 0]) \($0)" }.joined(separator: ", ") }
}
