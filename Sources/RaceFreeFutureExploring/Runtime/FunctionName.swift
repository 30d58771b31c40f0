// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The readable name of a function, from the compiler's name of its symbol.
///
/// Pure text processing. Unknown parts are left unchanged.
struct FunctionName: Equatable {
  /// The module that it belongs to.
  let module: String
  /// Type and function, as in `Cache.image(_:)`, which covers all with as many arguments: `Cache.image(…)`.
  let path: String
  /// True if it is a closure in that function.
  let isClosure: Bool

  /// What the function does, if it belongs to a property.
  let access: String?

  /// The name in words, as they follow "in".
  var words: String { path }

  /// - Parameter demangled: The output of `swift_demangle`. The result is nil for thunks and names of other languages.
  init?(_ demangled: String) {
    var text = Substring(demangled)
    guard !text.hasPrefix("_"), !text.contains("reabstraction thunk") else { return nil }
    // "(2) await resume partial function for", "partial apply forwarder for", "merged" and the like.
    while let end = Self.prefixes.lazy.compactMap({ text.firstRange(of: $0)?.upperBound }).first { text = text[end...] }
    // "function signature specialization <Arg[0] = Dead> of", "generic specialization <Swift.Int> of".
    while Self.specializations.contains(where: text.hasPrefix), let end = Self.range(of: " of ", in: text) {
      text = text[end.upperBound...]
    }
    var isClosure = false
    while Self.closures.contains(where: text.hasPrefix), let separator = Self.range(of: " in ", in: text) {
      isClosure = true
      text = text[separator.upperBound...]
    }
    for word in ["variable initialization expression of ", "static ", "@nonobjc "] where text.hasPrefix(word) {
      text = text.dropFirst(word.count)
    }
    if text.hasPrefix("(extension in "), let end = text.firstRange(of: "):") { text = text[end.upperBound...] }
    var path = Self.withoutDiscriminators(text)
    // The type of a property, or the text after the arguments.
    if let colon = Self.range(of: " : ", in: path[...]) { path = String(path[..<colon.lowerBound]) }
    if let open = Self.firstIndex(of: "(", in: path[...]) {
      let rest = path[path.index(after: open)...]
      path = path[..<open] + (rest.hasPrefix(")") ? "()" : "(…)")
    }
    path = Self.withoutGenerics(path)
    var parts = path.split(separator: ".", omittingEmptySubsequences: true)
    access = parts.last.flatMap { Self.accesses[String($0)] }
    if access != nil { parts.removeLast() }
    guard parts.count > 1, let module = parts.first else { return nil }
    self.module = String(module)
    self.path = parts.dropFirst().suffix(2).joined(separator: ".")
    self.isClosure = isClosure
  }

  private static let prefixes = ["partial function for ", "forwarder for ", "merged ", "async function pointer to "]
  private static let specializations = ["function signature specialization <", "generic specialization <"]
  private static let accesses = ["getter": "reads", "read": "reads", "setter": "writes", "modify": "changes"]
  private static let closures = ["closure #", "implicit closure #", "defer #"]

  /// Returns the first range of a text that isn't in brackets.
  private static func range(of wanted: String, in text: Substring) -> Range<Substring.Index>? {
    var depth = 0
    var index = text.startIndex
    while index < text.endIndex {
      if depth == 0, text[index...].hasPrefix(wanted) { return index..<text.index(index, offsetBy: wanted.count) }
      depth += Self.step(text, index)
      index = text.index(after: index)
    }
    return nil
  }

  /// Returns the change of bracket depth after a character; an arrow is no bracket.
  private static func step(_ text: Substring, _ index: Substring.Index) -> Int {
    switch text[index] {
    case "(", "<", "[": 1
    case ")", "]": -1
    case ">": index > text.startIndex && text[text.index(before: index)] == "-" ? 0 : -1
    default: 0
    }
  }

  private static func firstIndex(of character: Character, in text: Substring) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      if depth == 0, text[index] == character { return index }
      depth += step(text, index)
    }
    return nil
  }

  /// Private names are written as "(name in _HASH)".
  private static func withoutDiscriminators(_ text: Substring) -> String {
    var text = String(text)
    while let hash = text.firstRange(of: " in _"), let open = text[..<hash.lowerBound].lastIndex(of: "("),
      let close = text[hash.upperBound...].firstIndex(of: ")")
    {
      text.replaceSubrange(open...close, with: text[text.index(after: open)..<hash.lowerBound])
    }
    return text
  }

  private static func withoutGenerics(_ text: String) -> String {
    var (plain, depth) = ("", 0)
    for character in text {
      if character == "<" { depth += 1 }
      if depth == 0 { plain.append(character) }
      if character == ">", depth > 0 { depth -= 1 }
    }
    return plain
  }
}
