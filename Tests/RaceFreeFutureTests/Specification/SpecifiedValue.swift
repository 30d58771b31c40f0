// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A value of the specification, as TLC prints it.
indirect enum SpecifiedValue: Hashable, Sendable {
  case number(Int)
  case text(String)
  case truth(Bool)
  case tuple([SpecifiedValue])

  /// Parses a value without spaces; nil if the text is none.
  init?(parsing text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    guard let value = SpecifiedValue(parsing: &rest), rest.isEmpty else { return nil }
    self = value
  }

  private init?(parsing rest: inout ArraySlice<UInt8>) {
    switch rest.first {
    case UInt8(ascii: "<"):
      var elements: [SpecifiedValue] = []
      rest = rest.dropFirst(2)
      while rest.first != UInt8(ascii: ">") {
        guard let element = SpecifiedValue(parsing: &rest) else { return nil }
        elements.append(element)
        if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
      }
      rest = rest.dropFirst(2)
      self = .tuple(elements)
    case UInt8(ascii: "\""):
      let content = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      rest = rest.dropFirst(content.count + 2)
      self = .text(String(decoding: content, as: UTF8.self))
    default:
      let content = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ">") }
      rest = rest.dropFirst(content.count)
      switch String(decoding: content, as: UTF8.self) {
      case "TRUE": self = .truth(true)
      case "FALSE": self = .truth(false)
      case let text:
        guard let number = Int(text) else { return nil }
        self = .number(number)
      }
    }
  }

  /// The elements of a tuple; none for other values.
  var elements: [SpecifiedValue] {
    if case .tuple(let elements) = self { elements } else { [] }
  }

  /// The number; zero for other values.
  var number: Int {
    if case .number(let number) = self { number } else { 0 }
  }

  /// The text; empty for other values.
  var text: String {
    if case .text(let text) = self { text } else { "" }
  }
}

extension SpecifiedValue: CustomStringConvertible, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral
{
  init(arrayLiteral elements: SpecifiedValue...) { self = .tuple(elements) }
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(number) }

  /// The value as TLC prints it, but for spaces.
  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .truth(let truth): truth ? "TRUE" : "FALSE"
    case .tuple(let elements): "<<\(elements.map(\.description).joined(separator: ","))>>"
    }
  }
}
