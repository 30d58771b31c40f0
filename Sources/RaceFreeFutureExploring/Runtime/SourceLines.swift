// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  #if canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
#endif

/// The lines of the source from which code was made, as the debug information of the program and its libraries says.
///
/// Read by the toolchain's symbolizer, which stands beside the runtime in use, or in the path. Without it, without debug
/// information, and on systems other than Linux there are none.
enum SourceLines {
  /// Returns the file and the line of each address that has one, as in `Cache.swift:12`.
  static func places(of addresses: Set<UInt>) -> [UInt: String] {
    #if os(Linux)
      let images = Dictionary(grouping: addresses) { SymbolTable.image(at: $0) }
      return images.reduce(into: [:]) { places, group in
        guard let image = group.key, !image.path.contains("'") else { return }
        for (address, line) in zip(group.value, lines(of: group.value.map { $0 - image.base }, in: image.path))
        where !line.hasPrefix("?") && !line.hasSuffix(":0") && !line.hasSuffix(":?") {
          places[address] = line
        }
      }
    #else
      [:]
    #endif
  }

  #if os(Linux)
    private static let symbolizer: String = {
      // …/usr/lib/swift/linux/libswiftCore.so
      let library = SymbolTable.files.first { $0.hasSuffix("/libswiftCore.so") }
      let folders = library?.split(separator: "/").dropLast(4).map { "/\($0)" } ?? []
      let program = folders.joined() + "/bin/llvm-symbolizer"
      return unsafe access(program, X_OK) == 0 && !program.contains("'") ? "'\(program)'" : "llvm-symbolizer"
    }()

    private static func lines(of offsets: [UInt], in path: String) -> [String] {
      let options = "--functions=none --no-inlines --basenames --output-style=GNU"
      let words = offsets.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
      guard let output = unsafe popen("\(symbolizer) --obj='\(path)' \(options) \(words) 2> /dev/null", "r") else {
        return []
      }
      defer { unsafe pclose(output) }
      var (line, capacity, lines) = unsafe (nil as UnsafeMutablePointer<CChar>?, 0, [String]())
      defer { unsafe free(line) }
      while unsafe getline(&line, &capacity, output) > 0, let text = unsafe line.map({ unsafe String(cString: $0) }) {
        lines.append(String(text.prefix { !$0.isWhitespace }))
      }
      return lines
    }
  #endif
}
