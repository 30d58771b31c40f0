// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console

/// The command `first-token`: its help, and its check that there are no arguments.
///
/// Its work is in `main.swift`, which continues if there was no error.
struct FirstToken: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first-token",
    abstract: "A worker counts down and hands out a token; its client cancels midway.",
    discussion: "It prints five lines, always the same."
  )

  func run() {}

  static func takeArguments() async { await runAsMain() }
}
