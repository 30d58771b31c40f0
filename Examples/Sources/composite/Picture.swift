// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The number of dots of a picture.
struct Size: Equatable, Sendable {
  var width: Int
  var height: Int
}

/// A color, its parts between 0 and 1; `alpha` is the opacity.
struct Color: Sendable {
  var red, green, blue: Double
  var alpha = 1.0

  /// Returns a mixture: a share of the other color, and the rest of this one.
  func mixed(_ share: Double, of other: Color) -> Color {
    Color(
      red: red + (other.red - red) * share,
      green: green + (other.green - green) * share,
      blue: blue + (other.blue - blue) * share
    )
  }

  func fading(to alpha: Double) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }
}

/// A picture: the colors of its dots, line by line from the top.
struct Picture: Sendable {
  let size: Size
  let colors: [Color]

  /// Computes each dot from its place: `y` is 0 at the top and 1 at the bottom, `x` is 0 on the left.
  init(_ size: Size, color: (_ x: Double, _ y: Double) -> Color) {
    self.size = size
    let height = Double(size.height)
    colors = (0..<size.width * size.height).map { dot in
      color((Double(dot % size.width) + 0.5) / height, (Double(dot / size.width) + 0.5) / height)
    }
  }

  private init(size: Size, colors: [Color]) {
    self.size = size
    self.colors = colors
  }

  /// Returns this picture with another one in front of it.
  func covered(by front: Picture) -> Picture {
    Picture(size: size, colors: zip(colors, front.colors).map { back, front in back.mixed(front.alpha, of: front) })
  }

  /// The picture as a BMP file with 24 bits a dot: every viewer opens it, and it needs no compression.
  var bitmapFile: Data {
    // Lines go from the bottom to the top, and each is filled up to a multiple of four bytes.
    let padding = Data(count: (4 - size.width * 3 % 4) % 4)
    let length = size.height * (size.width * 3 + padding.count)
    var file = Data("BM".utf8)
    func append<Number: FixedWidthInteger>(_ numbers: Number...) {
      for number in numbers {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
          file.append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    }
    append(UInt32(54 + length), 0, 54)
    append(UInt32(40), UInt32(size.width), UInt32(size.height))
    append(UInt16(1), 24)
    append(UInt32(0), UInt32(length), 2835, 2835, 0, 0)
    for line in (0..<size.height).reversed() {
      for color in colors[line * size.width..<(line + 1) * size.width] {
        for part in [color.blue, color.green, color.red] { file.append(UInt8(min(max(part, 0), 1) * 255)) }
      }
      file.append(padding)
    }
    return file
  }
}
