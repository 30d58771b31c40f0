// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Values as a list of numbers: the same calls write them and read them back.
///
/// Only the program that wrote an archive reads it, so there are neither names nor versions in it.
package struct Archive {
  package private(set) var numbers: [Int]
  private var place = 0
  private let isReading: Bool

  /// Creates an empty archive, to which values are written.
  package init() { (numbers, isReading) = ([], false) }

  /// Creates an archive from which values are read.
  package init(reading numbers: [Int]) { (self.numbers, isReading) = (numbers, true) }

  /// True if all numbers were read, and not more.
  var isAtEnd: Bool { place == numbers.count }

  /// Writes a number, or replaces it by the written one.
  package mutating func pass<Number: BinaryInteger>(_ number: inout Number) {
    if isReading {
      number = place < numbers.count ? Number(truncatingIfNeeded: numbers[place]) : 0
      place += 1
    } else {
      numbers.append(Int(truncatingIfNeeded: number))
    }
  }

  package mutating func pass(_ flag: inout Bool) {
    var number = flag ? 1 : 0
    pass(&number)
    flag = number != 0
  }

  package mutating func pass(_ text: inout String) {
    var bytes = Array(text.utf8)
    pass(&bytes, of: 0) { $0.pass(&$1) }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a value, or nil.
  package mutating func pass<Value>(_ value: inout Value?, of new: Value, _ pass: (inout Archive, inout Value) -> Void)
  {
    var values = value.map { [$0] } ?? []
    self.pass(&values, of: new, pass)
    value = values.first
  }

  /// Writes the elements of an array.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - new: Any element, to be replaced by what is read.
  ///   - pass: Writes or replaces an element.
  package mutating func pass<Element>(
    _ elements: inout [Element],
    of new: Element,
    _ pass: (inout Archive, inout Element) -> Void
  ) {
    var count = elements.count
    self.pass(&count)
    if isReading {
      elements = []
      while elements.count < count, place < numbers.count {
        var element = new
        pass(&self, &element)
        elements.append(element)
      }
    } else {
      // Copied, so that the same closure serves both ways.
      for var element in elements { pass(&self, &element) }
    }
  }
}
