// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

// The parts of the picture, each computed dot by dot. Their shapes come from `noise`, summed up at several scales.

extension Picture {
  /// Draws an evening sky with clouds.
  static func sky(_ size: Size) -> Picture {
    Picture(size) { x, y in
      let air = Color(red: 0.16, green: 0.22, blue: 0.45).mixed(y * 1.3, of: Color(red: 1, green: 0.66, blue: 0.42))
      let cloud = fractal(x * 2.2, y * 7, octaves: 6)
      return air.mixed(smooth((cloud - 0.45) * 2.5) * 0.75, of: Color(red: 1, green: 0.87, blue: 0.8))
    }
  }

  /// Draws the sun, and the air around it.
  static func sun(_ size: Size) -> Picture {
    let center = (x: 0.66 * Double(size.width) / Double(size.height), y: 0.5)
    return Picture(size) { x, y in
      let distance = hypot(x - center.x, y - center.y)
      let haze = fractal(x * 5, y * 5 + 40, octaves: 6)
      let disc = smooth((0.1 - distance) * 150)
      let glow = exp(-distance * 7) * (0.7 + 0.5 * haze)
      return Color(red: 1, green: 0.7, blue: 0.35).mixed(disc, of: Color(red: 1, green: 0.95, blue: 0.75))
        .fading(to: max(disc, min(glow, 1)))
    }
  }

  /// Draws two ranges of mountains, the nearer one darker.
  static func mountains(_ size: Size) -> Picture {
    Picture(size) { x, y in
      let far = 0.66 - 0.3 * fractal(x * 1.9 + 7, 3, octaves: 7)
      let near = 0.78 - 0.32 * fractal(x * 2.6 + 20, 9, octaves: 7)
      let rock = 0.75 + 0.5 * fractal(x * 24, y * 24, octaves: 3)
      let color = y > near ? Color(red: 0.13, green: 0.12, blue: 0.2) : Color(red: 0.38, green: 0.3, blue: 0.42)
      return Color(red: 0, green: 0, blue: 0).mixed(rock, of: color)
        .fading(to: smooth((y - min(near, far)) * Double(size.height) / 2))
    }
  }

  /// Draws the sea, with waves that are smaller the farther away they are, and the light of the sun on them.
  static func sea(_ size: Size) -> Picture {
    let shore = 0.72
    let center = 0.66 * Double(size.width) / Double(size.height)
    return Picture(size) { x, y in
      let depth = max(y - shore, 0) + 0.012
      let wave = fractal((x - center) * 0.5 / depth, 2.2 / depth, octaves: 6)
      let light = smooth((wave - 0.5) * 6) * exp(-abs(x - center) * 5)
      return Color(red: 0.06, green: 0.13, blue: 0.25).mixed(wave * 0.45, of: Color(red: 0.85, green: 0.6, blue: 0.5))
        .mixed(light, of: Color(red: 1, green: 0.85, blue: 0.6))
        .fading(to: smooth((y - shore) * Double(size.height) / 2))
    }
  }
}

/// Returns a smooth step from 0 to 1; 0 and 1 outside.
private func smooth(_ value: Double) -> Double {
  let value = min(max(value, 0), 1)
  return value * value * (3 - 2 * value)
}

/// Returns noise of several scales, each half as large and half as strong as the one before: between 0 and 1.
private func fractal(_ x: Double, _ y: Double, octaves: Int) -> Double {
  var sum = 0.0
  var scale = 1.0
  for octave in 0..<octaves {
    sum += noise(x * scale + Double(octave) * 17, y * scale) / scale
    scale *= 2
  }
  return sum / (2 - 2 / scale)
}

/// Returns a random number for each point with whole coordinates, and smooth values in between.
private func noise(_ x: Double, _ y: Double) -> Double {
  let (column, row) = (x.rounded(.down), y.rounded(.down))
  let (right, down) = (smooth(x - column), smooth(y - row))
  let above = random(column, row) * (1 - right) + random(column + 1, row) * right
  let below = random(column, row + 1) * (1 - right) + random(column + 1, row + 1) * right
  return above * (1 - down) + below * down
}

/// Returns a number between 0 and 1, always the same for the same point.
private func random(_ column: Double, _ row: Double) -> Double {
  var bits =
    UInt32(truncatingIfNeeded: Int(column)) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: Int(row)) &* 0x85EB_CA77
  bits = (bits ^ (bits >> 15)) &* 0x2C1B_3C6D
  bits = (bits ^ (bits >> 13)) &* 0x297A_2D39
  return Double(bits ^ (bits >> 16)) / Double(UInt32.max)
}
