// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// The environment variable that gives every random test its seed.
let seedVariable = "RACEFREEFUTURE_SEED"

/// The seed of a random test: the one it was given, else that of the environment, else that with which it failed the last
/// time, else a new one.
///
/// A variable that holds no number stops the program: a run that was to be repeated and isn't would mislead.
func chosenSeed(_ given: UInt64?, _ kept: KeptFailure? = nil) -> UInt64 {
  if let given { return given }
  guard let text = environment(seedVariable), !text.isEmpty else { return kept?.seed ?? .random(in: 1...UInt64.max) }
  guard let seed = seed(in: text) else {
    fatalError("\(seedVariable) is '\(text)', which is no number from 0 to \(UInt64.max)")
  }
  return seed
}

/// The number in a text, decimal or hexadecimal with `0x`.
func seed(in text: String) -> UInt64? {
  text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
}

/// The line to paste into a shell.
func commandToRepeat(seed: UInt64, function: String) -> String {
  let command = "\(seedVariable)=\(seed) swift test"
  // As much of the function's name as has a meaning neither for the shell nor as a regular expression.
  // The expression finds it also without its end, which would make the line too long.
  let name = function.drop { $0 == "`" }.prefix(40).prefix {
    $0.isLetter || $0.isNumber || $0 == " " || $0 == "_" || $0 == ","
  }
  return name.isEmpty ? command : "\(command) --filter '\(name)'"
}

/// The value of an environment variable.
func environment(_ name: String) -> String? {
  // Copied at once; safe unless another thread changes the environment meanwhile, which POSIX forbids to any program
  // that has threads.
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}
