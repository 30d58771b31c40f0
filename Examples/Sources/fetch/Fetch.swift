// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import FetchKit

/// The executable; all of its code is in FetchKit, where tests can use it.
@main
enum Fetch {
  static func main() async {
    await FetchCommand.runAsMain()
  }
}
