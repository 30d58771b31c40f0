// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// A picture, 16 to 9: the colors of its dots, line by line from the top.
///
/// The fourth part of a color is its opacity.
struct Picture: Sendable {
  typealias Color = SIMD4<Double>

  let width: Int
  let dots: [Color]

  /// Computes each dot from its place: `y` is 0 at the top and 1 at the bottom, `x` is 0 on the left.
  init(_ height: Int, color: (_ x: Double, _ y: Double) -> Color) {
    let width = max(1, height * 16 / 9)
    self.width = width
    dots = (0..<width * height).map { color(Double($0 % width) / Double(height), Double($0 / width) / Double(height)) }
  }

  private init(width: Int, dots: [Color]) {
    self.width = width
    self.dots = dots
  }

  /// Returns this picture with another one in front of it.
  func covered(by front: Picture) -> Picture {
    Picture(width: width, dots: zip(dots, front.dots).map { back, front in back + (front - back) * front.w })
  }

  /// The picture as a file in the format PPM.
  var file: Data {
    let body = dots.flatMap { dot in [dot.x, dot.y, dot.z].map { UInt8(min(max($0, 0), 1) * 255) } }
    return Data("P6 \(width) \(dots.count / width) 255\n".utf8) + body
  }

  static func sky(_ height: Int) -> Picture {
    Picture(height) { x, y in
      let cloud = waves(x * 3, y * 8)
      return Color(0.2 + y + cloud / 4, 0.3 + y / 2 + cloud / 4, 0.5 + cloud / 4, 1)
    }
  }

  static func sun(_ height: Int) -> Picture {
    Picture(height) { x, y in
      let distance = hypot(x - 1.2, y - 0.5)
      return Color(1, 0.8, 0.5, distance < 0.1 ? 1 : exp(-distance * 7) * (0.8 + waves(x * 5, y * 5) / 5))
    }
  }

  static func mountains(_ height: Int) -> Picture {
    Picture(height) { x, y in Color(0.25, 0.2, 0.3, y > 0.6 - 0.15 * waves(x * 4, 1) ? 1 : 0) }
  }

  static func sea(_ height: Int) -> Picture {
    Picture(height) { x, y in
      let light = waves(x * 3 / max(y - 0.7, 0.01), 9 / max(y - 0.7, 0.01)) / 4
      return Color(0.1 + light, 0.2 + light, 0.35 + light, y > 0.75 ? 1 : 0)
    }
  }

  /// Returns a sum of waves that are smaller and smaller, between -1 and 1.
  private static func waves(_ x: Double, _ y: Double) -> Double {
    (1...8).reduce(0) { sum, n in
      let scale = Double(1 << n)
      return sum + sin(x * scale + Double(n)) * cos(y * scale - Double(n)) / scale
    }
  }
}
