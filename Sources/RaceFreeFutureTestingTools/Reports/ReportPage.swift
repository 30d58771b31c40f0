// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

#if canImport(Testing)
  internal import Testing
#endif

/// A report that has a picture of its failure.
package protocol PicturedReport: TestReport {
  /// The picture; nil if there is none.
  var page: ReportPage? { get }
}

/// A failure as a page of HTML: complete in itself, for light and dark, wide and narrow windows, and without a script.
package struct ReportPage: Sendable {
  /// A drawing, with its title.
  package struct Figure: Sendable {
    let title: String
    let svg: String

    /// - Parameters:
    ///   - title: The title.
    ///   - svg: The drawing, whose texts are escaped.
    package init(_ title: String, svg: String) { (self.title, self.svg) = (title, svg) }
  }

  /// The name of the test, or of what it concerns.
  let name: String
  /// The verdict.
  let title: String
  /// The rule that was broken.
  let sentence: String
  /// The drawings, which stand beside each other if there is room.
  package let figures: [Figure]
  /// What the marks and the names in the drawings mean.
  let notes: [String]
  /// The way to run it again.
  let again: String

  package init(
    of name: String,
    _ title: String,
    _ sentence: String,
    _ figures: [Figure],
    notes: [String],
    again: String
  ) {
    (self.name, self.title, self.sentence) = (name, title, sentence)
    (self.figures, self.notes, self.again) = (figures, notes, again)
  }

  package var html: String {
    let figures = figures.map { figure in
      """
      <figure>
      <figcaption>\(figure.title.escapedForHTML)</figcaption>
      <div class="drawing" tabindex="0">\(figure.svg)</div>
      </figure>
      """
    }
    let notes = notes.map { "<li>\($0.escapedForHTML)</li>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.escapedForHTML)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <h1>\(title.escapedForHTML)</h1>
      <p class="sentence">\(sentence.escapedForHTML)</p>
      <div class="figures">
      \(figures.joined(separator: "\n"))
      </div>
      <ul>
      \(notes.joined(separator: "\n"))
      </ul>
      \(again.isEmpty ? "" : "<p class=\"again\">\(again.escapedForHTML)</p>")
      </body>
      </html>

      """
  }

  private static let style = """
    :root { color-scheme: light dark; --text: #1d1d1f; --back: #fff; --soft: #f2f2f5; --line: #c3c3ca; --quiet: #63636b;
      --fails: #b3261e; --decides: #8a5a00; --makes: #2b5fb8; --locks: #6b3fa0; }
    @media (prefers-color-scheme: dark) {
      :root { --text: #ececf0; --back: #161618; --soft: #26262b; --line: #4c4c55; --quiet: #a2a2ac;
        --fails: #ff8a80; --decides: #f2b84b; --makes: #8ab4f8; --locks: #c9a6ff; }
    }
    body { margin: 0; padding: 16px; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
      overflow-wrap: anywhere; }
    h1 { margin: 0; font-size: 20px; line-height: 1.3; }
    .sentence { margin: 8px 0 16px; color: var(--fails); }
    .figures { display: flex; flex-wrap: wrap; gap: 16px; }
    figure { flex: 1 1 400px; min-width: 0; margin: 0; }
    figcaption { margin-bottom: 6px; font-weight: 600; }
    .drawing { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
    ul { padding-left: 20px; color: var(--quiet); }
    .again { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }
    svg { display: block; font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    svg text { fill: var(--text); white-space: pre; }
    .title { font-weight: 700; }
    .lane { stroke: var(--line); stroke-dasharray: 3 3; }
    .box { fill: var(--soft); stroke: var(--line); }
    .open { stroke-dasharray: 5 4; }
    svg .number, svg .state, svg .place { fill: var(--quiet); }
    .decides .box { stroke: var(--decides); stroke-width: 2; }
    svg .decides .number { fill: var(--decides); font-weight: 700; }
    .fails .box { stroke: var(--fails); stroke-width: 2; }
    svg .fails .number { fill: var(--fails); font-weight: 700; }
    svg .stale { fill: var(--decides); }
    .held { stroke: var(--locks); stroke-width: 4; }
    svg .lock { fill: var(--locks); }
    .arrow { fill: none; stroke: var(--makes); stroke-width: 1.5; }
    .head { fill: var(--makes); }
    .cancels.arrow { stroke: var(--fails); stroke-dasharray: 4 3; }
    .cancels.head { fill: var(--fails); }
    """

  // MARK: The folder

  /// Writes the page into the folder that the environment variable `RACEFREEFUTURE_REPORT` names.
  ///
  /// - Parameter site: The place of the call.
  /// - Returns: The file; nil if none was written.
  func write(at site: CallSite) -> String? {
    guard let folder = environment("RACEFREEFUTURE_REPORT"), !folder.isEmpty else { return nil }
    #if canImport(Testing)
      let test = Test.current.map { "\($0.id) " } ?? ""
    #else
      let test = ""
    #endif
    return write(in: folder, of: "\(name) \(test)\(site.fileID) \(site.line)")
  }

  /// Writes the page into a file that is named after a test; each further one of the process gets a number.
  func write(in folder: String, of test: String) -> String? {
    let number = Self.written.withLock { written in
      written["\(folder)/\(test)", default: 0] += 1
      return written["\(folder)/\(test)", default: 1]
    }
    let file = NamedFile(in: folder, number == 1 ? test : "\(test) \(number)", kind: "html")
    return file.write(html) ? file.path : nil
  }

  /// The numbers of pages that this process has written for each test.
  private static let written = Locked<[String: Int]>([:])
}
