// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

@MainActor
final class Catalog {
  private(set) var opened: [Int] = []

  func page(of item: Int) -> ValueFuture<String> {
    opened.append(item)
    return .background(label: "page") { _ in "page \(item)" }
  }
}

func page(of item: ValueFuture<Int>, in catalog: Catalog) -> ValueFuture<String> {
  item.flatMap(on: .main) { item in
    // A closure for `.main` runs where the main actor does.
    MainActor.assumeIsolated { catalog.page(of: item) }
  }
}
