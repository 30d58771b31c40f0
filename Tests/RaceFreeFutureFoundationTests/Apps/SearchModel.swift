// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Observation
import RaceFreeFuture

/// The model of the guide for apps: a search as the user types.
@MainActor @Observable
final class SearchModel {
  private(set) var results: [String] = []
  private(set) var problem: String?

  @ObservationIgnored private let latest = LatestFuture()
  @ObservationIgnored private let search: (String) -> ValueFuture<[String]>

  init(search: @escaping (String) -> ValueFuture<[String]>) { self.search = search }

  func typed(_ text: String) {
    guard !text.isEmpty else {
      latest.cancel()
      return show([])
    }
    latest.replace(with: search(text), on: MainActor.shared) { [weak self] result in
      switch result {
      case .success(let words): self?.show(words)
      case .failure(let error): self?.show([], problem: "\(error)")
      }
    }
  }

  private func show(_ results: [String], problem: String? = nil) {
    self.results = results
    self.problem = problem
  }
}
