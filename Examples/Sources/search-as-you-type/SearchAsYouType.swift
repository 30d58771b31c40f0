// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation
import RaceFreeFuture

/// The command `search-as-you-type`.
@main
struct SearchAsYouType: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search-as-you-type",
    abstract: "Looks up words while you type; the server is slow, and later answers may come earlier.",
    discussion: """
      On a terminal, type; Enter, Esc or Ctrl-C ends, Ctrl-Z suspends. Without one, or with --keys, the program types \
      by itself, a key every 40 ms, and compares two ways of showing the answers: with LatestFuture, and each one \
      when it arrives.

      EXIT STATUS
        0    with LatestFuture no stale answer was shown, and the last answer was
        1    a stale answer was shown, or the last one wasn't
        64   invalid arguments
        130  Ctrl-C
      """
  )

  @Option(help: ArgumentHelp("The keys: letters, <bs> (backspace) and <wait> (0.32 s).", valueName: "keys"))
  var keys: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of the times that the answers take, 20 to 200 ms.", valueName: "n")
  )
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("A file with one word on each line. (default: a built-in list)", valueName: "file"))
  var words: String?

  func validate() throws {
    guard let keys else { return }
    guard let parsed = Key.parse(keys), (1...400).contains(parsed.count) else {
      throw ValidationError("--keys is 1 to 400 of: letters, <bs>, <wait>; not '\(keys)'")
    }
  }

  func run() async throws {
    let server = try await SlowServer.start(try list(), seed: seed)
    let screen = DispatchQueue(label: "screen")
    let search = Search(asking: server.url, screen: screen)
    let status: Int32
    if keys == nil, isatty(STDIN_FILENO) == 1, Console.takesEscapes(STDOUT_FILENO) {
      status = await Terminal(search, screen: screen).run()
    } else {
      let keys = Key.parse(keys ?? "swi<bs>ift<wait><bs><bs><bs>ing<wait><bs><bs><bs>eet<wait>") ?? []
      status = report(await Script(keys, search, screen: screen).run(), server)
    }
    await server.stop()
    if status != 0 { throw ExitCode(status) }
  }

  private func list() throws -> Words {
    guard let words else { return .ofItsOwn }
    guard let text = try? String(contentsOfFile: words, encoding: .utf8) else {
      throw ValidationError("\(words): cannot be read as text")
    }
    return Words(text)
  }

  /// Prints the fate of the answers, and returns the exit status.
  private func report(_ end: Script.State, _ server: SlowServer) -> Int32 {
    let columns = Console.width
    print("a key every 40 ms, answers after 20 to 200 ms, seed \(seed)\n".wrapped(to: columns))
    print(line(["key", "text", "answer", "LatestFuture", "naive"]))
    for row in end.rows {
      let number = row.query.number
      let unseen = row.ours == nil ? "" : row.ours?.isCancelled == true ? "cancelled" : "too late"
      print(
        line([
          row.key, row.query.text, row.ours == nil ? "" : "\(server.delay(of: number)) ms",
          end.ours.notes[number] ?? unseen, end.naive.notes[number] ?? "",
        ])
      )
    }
    let cancelled = end.rows.count { $0.ours?.isCancelled == true }
    let indentation = String(repeating: " ", count: 16)
    print("\n" + "in the end '\(end.text)' is typed, and the screen shows".wrapped(to: columns))
    for line in [
      "  LatestFuture  \(summary(end.ours)), \(cancelled) cancelled",
      "  naive         \(summary(end.naive))",
    ] { print(line.wrapped(to: columns, indentation: indentation)) }
    return end.ours.staleCount == 0 && end.ours.answer?.text ?? "" == end.text ? 0 : 1
  }

  private func summary(_ display: Display) -> String {
    let answer = display.answer.map { "the answer to '\($0.text)'" } ?? "nothing"
    return "\(answer), \(display.staleCount) stale results shown"
  }

  /// Returns a line of the table; if it would be too long, the shown answer stands below.
  private func line(_ cells: [String]) -> String {
    let key = zip(cells, [6, 12, 8]).map { $0.padded(to: max($1, $0.count)) }.joined()
    if Console.width >= 80 { return key + cells[3].padded(to: 26) + cells[4] }
    let below = cells[3...].map { "  \($0)".wrapped(to: Console.width, indentation: "    ") }
    return ([String(key.reversed().drop { $0 == " " }.reversed())] + below).joined(separator: "\n")
  }

  static func main() async { await runAsMain() }
}
