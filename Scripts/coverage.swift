// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Says how much of a module's public interface is documented, and what isn't: for Scripts/docs.sh.
//
//     coverage <module> <folder with symbol graphs> [<documentation archive>]
//
// Documented is a symbol with an abstract of its own: a comment that begins with a sentence. Counted is every symbol
// that has a place in the source, also in extensions of other modules' types. What the compiler makes, and what is
// inherited, has none. With an archive each page has to have its symbols in topic groups, too: what is in no group
// DocC puts into groups that it generates.
//
// Exits with 1 if something is missing.

import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { var identifier: String }
    struct Comment: Decodable {
      struct Line: Decodable { var text: String }
      var lines: [Line]
    }
    struct Location: Decodable { var uri: String }

    var kind: Kind
    var pathComponents: [String]
    var docComment: Comment?
    var location: Location?

    /// An extension has no page of its own; what it holds has.
    var counts: Bool { location != nil && kind.identifier != "swift.extension" }

    var hasAbstract: Bool {
      guard let first = docComment?.lines.first?.text.trimmingCharacters(in: .whitespaces) else { return false }
      return !first.isEmpty && !first.hasPrefix("- ") && !first.hasPrefix("#")
    }
  }

  var symbols: [Symbol]
}

struct Page: Decodable {
  struct Group: Decodable {
    var title: String?
    var identifiers: [String]
    var generated: Bool?
  }
  struct Metadata: Decodable { var role: String? }

  var metadata: Metadata
  var topicSections: [Group]?

  /// What comes from a protocol is DocC's to group, and so are the pages of types that are extended; what the
  /// extensions hold isn't.
  var stray: [String] {
    if metadata.role == "collectionGroup" { return [] }
    return (topicSections ?? []).filter { group in
      let title = group.title ?? ""
      return group.generated == true && title != "Default Implementations" && !title.hasPrefix("Extended ")
    }
    .flatMap(\.identifiers)
  }
}

func decode<T: Decodable>(_ type: T.Type, from path: String) throws -> T {
  try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: path)))
}

let arguments = CommandLine.arguments.dropFirst()
guard let module = arguments.first, let folder = arguments.dropFirst().first else {
  print("coverage <module> <folder with symbol graphs> [<documentation archive>]")
  exit(2)
}

// The module's own graph, and one for each module whose types it extends.
let graphs = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
  $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") && $0.hasSuffix(".symbols.json")
}
let symbols = try graphs.flatMap { try decode(SymbolGraph.self, from: "\(folder)/\($0)").symbols.filter(\.counts) }
guard !symbols.isEmpty else {
  print("\(module): \(folder) has no symbol of it")
  exit(1)
}
let undocumented = symbols.filter { !$0.hasAbstract }

let documented = symbols.count - undocumented.count
var line = "\(module): \(documented) of \(symbols.count) public symbols are documented"
line += " (\(documented * 100 / symbols.count) %)"
var stray: [String] = []
if let archive = arguments.dropFirst(2).first {
  let pages = "\(archive)/data/documentation"
  for name in FileManager.default.enumerator(atPath: pages) ?? .init() {
    guard let name = name as? String, name.hasSuffix(".json") else { continue }
    stray += try decode(Page.self, from: "\(pages)/\(name)").stray
  }
  line += stray.isEmpty ? ", all in topic groups" : ", \(stray.count) in no topic group"
}
print(line)
for symbol in undocumented.map({ $0.pathComponents.joined(separator: ".") }).sorted() {
  print("  undocumented: \(symbol)")
}
for identifier in stray.sorted() {
  print("  in no topic group: \(identifier.split(separator: "/documentation/").last ?? "")")
}
exit(undocumented.isEmpty && stray.isEmpty ? 0 : 1)
