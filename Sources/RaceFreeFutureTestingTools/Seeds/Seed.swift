// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The environment variable with the seed of every random test.
let seedVariable = "RACEFREEFUTURE_SEED"

/// Returns the seed of a random test: the given seed, or the environment's, or its last failure's, or else a new one.
///
/// A variable that holds no number stops the program: a run that should be repeated and isn't would mislead.
package func chosenSeed(_ given: UInt64?, _ kept: KeptFailure? = nil) -> UInt64 {
  if let given { return given }
  guard let text = environment(seedVariable), !text.isEmpty else { return kept?.seed ?? .random(in: 1...UInt64.max) }
  guard let seed = seed(in: text) else {
    fatalError("\(seedVariable) is '\(text)', which is no number from 0 to \(UInt64.max)")
  }
  return seed
}

/// Returns the number in a text, decimal or hexadecimal with `0x`.
func seed(in text: String) -> UInt64? {
  text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
}

/// Returns the line to paste into a shell.
func commandToRepeat(seed: UInt64, function: String) -> String {
  let command = "\(seedVariable)=\(seed) swift test"
  // The longest prefix of the function's name without special meaning for the shell or in a regular expression. The
  // expression also matches without the rest, which would make the line too long.
  let name = function.drop { $0 == "`" }.prefix(40).prefix {
    $0.isLetter || $0.isNumber || $0 == " " || $0 == "_" || $0 == ","
  }
  return name.isEmpty ? command : "\(command) --filter '\(name)'"
}
