// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Observation
import RaceFreeFuture

/// A search that begins when nothing was typed for a moment.
@MainActor @Observable
final class PatientSearchModel {
  private(set) var results: [String] = []

  @ObservationIgnored private let latest = LatestFuture()
  @ObservationIgnored private let search: (String) -> ValueFuture<[String]>

  init(search: @escaping (String) -> ValueFuture<[String]>) { self.search = search }

  func typed(_ text: String) {
    latest.replace(after: .milliseconds(300), on: MainActor.shared) { [weak self] in
      self?.search(text) ?? .completed(with: [])
    } onResult: { [weak self] result in
      if case .success(let words) = result { self?.results = words }
    }
  }

  func pressedReturn() { latest.flush() }
  func pressedEscape() { latest.cancel() }
}
