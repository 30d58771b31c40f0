// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import FlyingFox
import Foundation
import Loopback
import RaceFreeFuture
import Synchronization

/// The command `search-as-you-type`.
@main
struct SearchAsYouType: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search-as-you-type",
    abstract: "Types a word, a letter every 40 ms, and shows the answers of a server that are up to 200 ms late.",
    discussion: "EXIT STATUS: 1 if LatestFuture has shown a stale answer, or not the last one"
  )

  @Option(help: "The word to type.")
  var word = "swiftly"

  @Option(help: "The seed of the times that the answers take.")
  var seed: UInt64 = 1

  func run() async throws {
    // Each answer takes another time, the same for the same seed.
    let server = try await LoopbackServer.start { [seed] request in
      let text = String(request.path.dropFirst())
      try await Task.sleep(for: .milliseconds(Self.delay(of: text, seed)))
      return HTTPResponse(statusCode: .ok, body: Data("the answer to \(text)".utf8))
    }
    let screen = DispatchQueue(label: "screen")
    let search = Search(asking: server.url, screen: screen)
    let (ours, naive) = (Display(), Display())
    var answers: [ValueFuture<String>] = []
    for length in 1...max(word.count, 1) {
      let text = String(word.prefix(length))
      answers += screen.sync {
        for display in [ours, naive] { display.typed(text) }
        return [search.type(text) { ours.show($0) }, search.typeNaively(text) { naive.show($0) }]
      }
      try await Task.sleep(for: .milliseconds(40))
    }
    for answer in answers { _ = await answer.handlersFinished }
    await server.stop()
    print("LatestFuture  \(ours), \(answers.count { $0.isCancelled }) requests were cancelled")
    print("naive         \(naive)")
    if !ours.isRight { throw ExitCode.failure }
  }

  /// From 20 to 200 ms.
  static func delay(of text: String, _ seed: UInt64) -> UInt64 {
    var bits = text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
    bits ^= bits >> 31
    return 20 + bits % 181
  }
}

/// What a screen shows, and how often that was an answer to something that wasn't typed any more.
final class Display: Sendable, CustomStringConvertible {
  private let state = Mutex((typed: "", shown: "nothing", stale: 0))

  func typed(_ text: String) { state.withLock { $0.typed = text } }

  func show(_ answer: String) {
    state.withLock { state in
      state.shown = answer
      if !answer.hasSuffix(" \(state.typed)") { state.stale += 1 }
    }
  }

  var isRight: Bool { state.withLock { $0.stale == 0 && $0.shown == "the answer to \($0.typed)" } }

  var description: String { state.withLock { "shows \($0.shown) in the end; \($0.stale) stale answers were shown" } }
}
