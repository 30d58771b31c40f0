// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// An older, slower answer overwrites a newer one.
enum R08SearchAsYouType {
  static let pattern = Pattern(
    id: "R8",
    title: "Search as you type",
    published: [
      "openfoodfacts/openfoodfacts-ios#8", "zhuorantan/LocationPicker#14", "woocommerce/woocommerce-ios#6112",
      "classmere/ios#63", "headwaymaps/headway#152", "SDWebImage/SDWebImage#699", "kean/Nuke#70",
      "Alamofire/AlamofireImage#55", "Alamofire/AlamofireImage#121", "onevcat/Kingfisher#532",
    ],
    rounds: 1_000,
    naive: naive,
    ours: ours
  )

  static func naive() async -> Bool {
    let server = Server()
    let screen = Screen()
    for text in ["zo", "zombie"] {
      server.search(text) { result in screen.queue.async { screen.show(result) } }
    }
    server.answer("zombie")
    server.answer("zo")  // the shorter the text, the longer it takes
    return await screen.shown() != "results for zombie"
  }

  static func ours() async -> Bool {
    let server = Server()
    let screen = Screen()
    let latest = LatestFuture()
    for text in ["zo", "zombie"] {
      let search = ValueFuture<String>()
      server.search(text) { search.complete(with: $0) }
      latest.replace(with: search, on: screen.queue) { screen.show((try? $0.get()) ?? "nothing") }
    }
    server.answer("zombie")
    server.answer("zo")
    return await screen.shown() != "results for zombie"
  }

  /// Answers when it is told to.
  private final class Server: Sendable {
    private let searches = Mutex<[String: @Sendable (String) -> Void]>([:])

    func search(_ text: String, _ callback: @escaping @Sendable (String) -> Void) {
      searches.withLock { $0[text] = callback }
    }

    func answer(_ text: String) { searches.withLock { $0[text] }?("results for \(text)") }
  }

  private final class Screen: Sendable {
    let queue = DispatchQueue(label: "screen")
    private let text = Mutex("")

    func show(_ text: String) { self.text.withLock { $0 = text } }

    /// Returns the shown text when all pending answers have arrived.
    func shown() async -> String {
      await withCheckedContinuation { continuation in
        queue.async { [self] in continuation.resume(returning: text.withLock { $0 }) }
      }
    }
  }
}
