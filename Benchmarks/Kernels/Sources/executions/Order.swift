// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// A memory ordering, one type for loads, stores, updates and fences.
enum Order: Sendable {
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

  var ofLoad: AtomicLoadOrdering {
    switch self {
    case .relaxed, .releasing: .relaxed
    case .acquiring, .acquiringAndReleasing: .acquiring
    case .sequentiallyConsistent: .sequentiallyConsistent
    }
  }

  var ofStore: AtomicStoreOrdering {
    switch self {
    case .relaxed, .acquiring: .relaxed
    case .releasing, .acquiringAndReleasing: .releasing
    case .sequentiallyConsistent: .sequentiallyConsistent
    }
  }

  var ofUpdate: AtomicUpdateOrdering {
    switch self {
    case .relaxed: .relaxed
    case .acquiring: .acquiring
    case .releasing: .releasing
    case .acquiringAndReleasing: .acquiringAndReleasing
    case .sequentiallyConsistent: .sequentiallyConsistent
    }
  }
}

/// The memory model under which a program is counted.
enum Model: String, CaseIterable, Sendable {
  /// The orderings that the program names.
  case rc11 = "RC11"
  /// Every access is sequentially consistent, and fences have no effect.
  case sc = "SC"
}
