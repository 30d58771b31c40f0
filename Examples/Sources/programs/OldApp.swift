// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// An app with operations, two at a time, of which those that follow others get their values.
final class OldApp: Sendable {
  /// Asks a library that calls back, for an app that has operations.
  final class Fetch: FutureOperation<Surroundings.Content>, @unchecked Sendable {  // has only constants
    private let title: String
    private let library: Surroundings

    init(_ name: String, from library: Surroundings) {
      title = name
      self.library = library
      super.init(label: name)
    }

    override func main() {
      attach {
        library.ask(title) { [self] content, error in
          if let content { setResult(content) } else { setResult(throwing: error ?? Surroundings.Failure()) }
          finish()
        }
      } stop: { question in
        question.stop()
      }
    }
  }

  let library: Surroundings
  private let work = Scope(label: "app")
  private let queue = OperationQueue(maxConcurrentOperationCount: 2)

  init(_ library: Surroundings) { self.library = library }

  /// Fetches something old, then something new with its name.
  func open(_ name: String) -> ValueFuture<String> {
    let fetch = Fetch(name, from: library)
    // A library that never answers must not keep its place.
    fetch.cancel(after: .milliseconds(20))
    work.add(fetch)
    queue.add(fetch)
    let page = queue.add(with: fetch.valueFuture) { content, _ in "page of \(content.name)" }
    work.add(page)
    return page
  }

  /// Does something new, whose place is free when it has ended.
  func load(_ name: String) -> ValueFuture<Surroundings.Content> {
    let content = queue.addTask(name: name) { [library] in try await library.load(name) }
    work.add(content)
    return content
  }

  func close() async throws { try await work.cancelAndDrain(within: .seconds(60)) }
}
