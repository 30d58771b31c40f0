// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Observation
import RaceFreeFuture

/// The model of the guide for apps: work that goes on from view to view, and ends with its model.
@MainActor @Observable
final class SyncModel {
  private var work: AutoCancel?

  var isRunning: Bool { work != nil }

  func start(_ sync: Future) {
    work = sync.cancelOnDeinit()
    sync.onCleanUp(on: .main) { [weak self, token = sync.cancelToken] in
      MainActor.assumeIsolated {
        if self?.work?.cancelToken == token { self?.work = nil }
      }
    }
  }

  func stop() { work = nil }
}
