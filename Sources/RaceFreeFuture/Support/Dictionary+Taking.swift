// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Dictionary {
  /// Removes and returns a value, and gives back the space of a peak (law L7), in constant time on average.
  mutating func take(_ key: Key) -> Value? {
    let value = removeValue(forKey: key)
    if capacity > 64, count < capacity / 8 {
      self = Dictionary(uniqueKeysWithValues: lazy.map { ($0.key, $0.value) })
    }
    return value
  }
}
