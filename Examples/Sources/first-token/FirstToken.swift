// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console

/// The command `first-token`: its help, and that it takes no argument.
///
/// What it does is in `main.swift`, which goes on when there was nothing to complain of.
struct FirstToken: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first-token",
    abstract: "A worker counts down and hands out a token; its client changes its mind midway.",
    discussion: "It prints five lines, always the same."
  )

  func run() {}

  static func takeArguments() async { await runAsMain() }
}
