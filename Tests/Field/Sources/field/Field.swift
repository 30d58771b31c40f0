// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

#if canImport(Glibc)
  import Glibc
#endif

/// Runs the tools of this library against types of other packages.
///
/// Without arguments it prints the table of all hunts; with the name of one it runs that one, and prints its report. It
/// exits with 1 if something else is found than the hunt says is known.
@main
enum Field {
  static func main() async {
    guard CommandLine.arguments.count > 1 else { exit(printTable() ? 0 : 1) }
    guard CommandLine.arguments.count == 2, let hunt = Hunt.all.first(where: { $0.name == CommandLine.arguments[1] })
    else {
      let names = Hunt.all.map { "  \($0.name)\n" }.joined()
      FileHandle.standardError.write(Data("usage: field [<hunt>], with one of these:\n\(names)".utf8))
      exit(64)
    }
    let result = await hunt.run()
    print(result.report)
    print("\(marker)\(result.holds)\t\(result.effort)\t\(oneLine(result.fault))")
    // At once: a hunt may have left threads behind.
    fflush(nil)
    _exit(result.holds || hunt.expects(result.fault) ? 0 : 1)
  }

  private static let marker = "result:\t"

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("|", with: "/").replacing("\t", with: " ")
  }

  /// Returns false if something new is found.
  private static func printTable() -> Bool {
    var hasNews = false
    print("| package | type | property | with | looked at | found |")
    print("| --- | --- | --- | --- | --- | --- |")
    for hunt in Hunt.all {
      let (effort, fault) = huntInOwnProcess(hunt)
      if let fault, !hunt.expects(fault) {
        hasNews = true
        FileHandle.standardError.write(Data("\(hunt.name): not what the table says: \(fault)\n".utf8))
      }
      let found = fault.map { "**\($0)**.\(hunt.remark.isEmpty ? "" : " \(hunt.remark)")" } ?? "nothing"
      let cells = [hunt.package, hunt.type, "\(hunt.property) (`field \(hunt.name)`)", "`\(hunt.tool)`", effort, found]
      print("| \(cells.joined(separator: " | ")) |")
      fflush(nil)
    }
    return !hasNews
  }

  /// Runs this program again with the name of the hunt: what is found may end it.
  ///
  /// The fault is nil if there is none.
  private static func huntInOwnProcess(_ hunt: Hunt) -> (effort: String, fault: String?) {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let command = "SWIFT_BACKTRACE=enable=no timeout -s KILL 120 '\(program)' \(hunt.name) < /dev/null 2>&1"
    guard let output = popen(command, "r") else { return ("–", "it couldn't be run") }
    var lines: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, output) > 0, let line { lines.append(String(cString: line)) }
    free(line)
    let status = pclose(output)
    if let result = lines.last(where: { $0.hasPrefix(marker) }) {
      let parts = oneTrimmed(result).split(separator: "\t", omittingEmptySubsequences: false).dropFirst()
      let (effort, fault) = (parts.dropFirst().first ?? "", parts.dropFirst(2).first ?? "")
      return (String(effort), parts.first == "true" ? nil : String(fault))
    }
    let code = status & 0x7F != 0 ? status & 0x7F : (status >> 8) - 128
    if code == SIGKILL { return ("–", "unclear: it took more than two minutes") }
    let place = lines.first { $0.contains("Fatal error") || $0.contains("the process dies") }.map(oneLine)
    return ("–", "the program died: \(place ?? "signal \(code)")")
  }

  private static func oneTrimmed(_ line: String) -> String { line.trimmingCharacters(in: .newlines) }
}
