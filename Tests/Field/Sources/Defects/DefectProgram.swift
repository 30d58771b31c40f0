// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A program that shows defects: each in a process of its own, without this library.
///
/// Without arguments it prints the table of all of them; with the name of one it looks for that one only.
package struct DefectProgram {
  /// The name of the program.
  let name: String
  /// The title of the last column.
  let about: String
  let defects: [Defect]

  package init(_ name: String, about: String, _ defects: [Defect]) {
    (self.name, self.about, self.defects) = (name, about, defects)
  }

  package func main() async {
    guard CommandLine.arguments.count > 1 else { return printTable() }
    guard CommandLine.arguments.count == 2,
      let defect = defects.first(where: { $0.name == CommandLine.arguments[1] })
    else {
      let names = defects.map(\.name).joined(separator: " | ")
      FileHandle.standardError.write(Data("usage: \(name) [\(names)]\n".utf8))
      exit(64)
    }
    print(defect.title)
    let finding = await defect.look()
    print("\(finding.verdict): \(finding.text)")
    // At once: queues and sources may be in any state.
    fflush(nil)
    _exit(0)
  }

  private func printTable() {
    print("| program | what it shows | here | what was seen | known as | \(about) |")
    print("| --- | --- | --- | --- | --- | --- |")
    for defect in defects {
      let finding = lookInOwnProcess(for: defect)
      let cells = [
        "`\(name) \(defect.name)`", defect.title, "**\(finding.verdict)**", finding.text, defect.known,
        "`\(defect.about)`",
      ]
      print("| \(cells.joined(separator: " | ")) |")
      fflush(nil)
    }
  }

  /// Runs this program again with the name of the defect: some of them end the process, or hang it.
  ///
  /// By way of the C library, since `Process` is among what is looked at.
  private func lookInOwnProcess(for defect: Defect) -> Finding {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    // 0 is left to the program: one of them is about who closes it.
    let command = "SWIFT_BACKTRACE=enable=no timeout -s KILL 60 '\(program)' \(defect.name) < /dev/null 2> /dev/null"
    guard let output = popen(command, "r") else { return Finding(.unknown, "it couldn't be run") }
    var lines: [String] = []
    while let line = readLine(of: output) { lines.append(line) }
    let status = pclose(output)
    for verdict in Finding.Verdict.allCases {
      if let line = lines.first(where: { $0.hasPrefix("\(verdict): ") }) {
        return Finding(verdict, String(line.dropFirst("\(verdict): ".count)))
      }
    }
    // `timeout` and the shell answer 128 and the signal's number.
    let signal = status & 0x7F != 0 ? status & 0x7F : (status >> 8) - 128
    guard signal > 0 else { return Finding(.unknown, "the program ended with status \(status >> 8) and said nothing") }
    if signal == SIGKILL { return Finding(.unknown, "it took more than a minute") }
    let name = strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
    return defect.crashes
      ? Finding(.there, "the program died: \(name)") : Finding(.unknown, "the program died, unexpectedly: \(name)")
  }

  private func readLine(of file: UnsafeMutablePointer<FILE>) -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    let count = getline(&line, &capacity, file)
    guard count > 0, let line else { return nil }
    return String(cString: line).trimmingCharacters(in: .newlines)
  }
}
