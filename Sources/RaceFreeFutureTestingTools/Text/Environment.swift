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

/// Returns the value of an environment variable.
package func environment(_ name: String) -> String? {
  // Copied at once; safe unless another thread changes the environment meanwhile, which POSIX forbids to any program
  // that has threads.
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}
