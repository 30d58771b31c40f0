// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The name of a future: its label or, without one, the place where it was created.
enum FutureName: Sendable {
  case label(String)
  case site(CreationSite)

  init(label: String?, site: CreationSite) {
    self = label.map(FutureName.label) ?? .site(site)
  }

  /// For errors and paths: the bare label.
  var plain: String {
    switch self {
    case .label(let label): label
    case .site(let site): "made at \(site)"
    }
  }

  /// For descriptions: the label in quotation marks.
  var quoted: String {
    switch self {
    case .label(let label): "\"\(label)\""
    case .site: plain
    }
  }

  /// For diagrams: the label in quotation marks, or the place without its module.
  var short: String {
    guard case .site(let site) = self else { return quoted }
    let path = "\(site)"
    return path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}

extension String {
  /// The same text in one line: what would begin another, and other control characters, are written as escapes.
  var inOneLine: String {
    func breaks(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    guard unicodeScalars.contains(where: breaks) else { return self }
    return unicodeScalars.map { breaks($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}
