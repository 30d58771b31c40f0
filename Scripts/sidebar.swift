// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Says which pages of the documentation site are missing in their own sidebar: for Scripts/docs.sh.
//
//     sidebar <site>
//
// A page's sidebar shows what is below one node of the index. It is looked for as the site itself does: among the nodes
// of modules, from the top and depth first, the first whose path ends in that of the page's module. A mention of a
// module on another page is such a node, too, with nothing below.
//
// Exits with 1 if a page is missing.

import Foundation

struct Index: Decodable {
  struct Node: Decodable {
    var type: String
    var path: String?
    var children: [Node]?

    /// This node and the modules below it, as long as the way there leads through modules only.
    var modules: [Node] { [self] + (children ?? []).filter { $0.type == "module" }.flatMap(\.modules) }

    var paths: [String] { [path].compactMap { $0?.lowercased() } + (children ?? []).flatMap(\.paths) }
  }

  var interfaceLanguages: [String: [Node]]
}

guard let site = CommandLine.arguments.dropFirst().first else {
  print("sidebar <site>")
  exit(2)
}
let index = try JSONDecoder().decode(
  Index.self,
  from: Data(contentsOf: URL(fileURLWithPath: "\(site)/index/index.json"))
)
let modules = (index.interfaceLanguages["swift"] ?? []).flatMap(\.modules)
let pages = FileManager.default.enumerator(atPath: "\(site)/data/documentation")?.compactMap { $0 as? String } ?? []

var sidebars: [String: Set<String>] = [:]
var missing: [String] = []
var count = 0
for page in pages.sorted() where page.hasSuffix(".json") {
  let path = "/documentation/\(page.dropLast(5))".lowercased()
  let module = path.split(separator: "/").prefix(2).map { "/\($0)" }.joined()
  if sidebars[module] == nil {
    sidebars[module] = Set(modules.first { $0.path?.lowercased().hasSuffix(module) == true }?.paths ?? [])
  }
  count += 1
  if sidebars[module]?.contains(path) != true { missing.append(path) }
}
for path in missing { print("not in its sidebar: \(path)") }
if missing.isEmpty { print("each of the \(count) pages of the site is in its sidebar") }
exit(missing.isEmpty && count > 0 ? 0 : 1)
