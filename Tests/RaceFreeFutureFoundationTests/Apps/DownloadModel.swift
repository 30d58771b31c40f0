// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Observation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The model of the guide for apps: a download that lives as long as a view shows it.
@MainActor @Observable
final class DownloadModel {
  private(set) var fraction: Double?
  private(set) var text = "waiting"

  @ObservationIgnored
  private let download: (TransferProgress) -> ValueFuture<URLResponse>

  init(download: @escaping (TransferProgress) -> ValueFuture<URLResponse>) {
    self.download = download
  }

  func run() async {
    let progress = TransferProgress()
    let bar = Task { for await step in progress { fraction = step.fraction } }
    defer { bar.cancel() }
    do {
      _ = try await download(progress).ownedValue
      text = "saved"
    } catch is CancellationError {
      text = "stopped"
    } catch {
      text = "\(error)"
    }
  }
}
