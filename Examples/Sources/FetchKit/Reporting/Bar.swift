// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One line that shows the progress of a download.
struct Bar {
  let name: String
  let received: Int
  let expected: Int?

  /// Returns the line, narrower than a number of columns.
  func line(nameColumns: Int, columns: Int) -> String {
    let title = name.fitted(to: nameColumns)
    if received == 0, expected == nil { return "\(title) waiting for the server".cut(to: columns - 1) }
    let count = String(repeating: " ", count: max(0, 11 - grouped(received).count)) + grouped(received)
    guard let expected, expected > 0 else { return "\(title) \(count) bytes".cut(to: columns - 1) }
    let share = min(1, Double(received) / Double(expected))
    let percent = String("  \(Int(share * 100))%".suffix(4))
    let width = min(40, columns - 1 - nameColumns - count.count - 16)
    guard width >= 4 else { return "\(title) \(percent)".cut(to: columns - 1) }
    let filled = Int(share * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\(title) [\(bar)] \(percent) \(count) bytes"
  }
}

extension Bar {
  init(_ download: Download) {
    let progress = download.progress
    self.init(name: download.name, received: progress.received, expected: progress.expected)
  }
}

extension String {
  /// Returns the string, cut to a number of characters; an ellipsis marks the cut.
  func cut(to count: Int) -> String {
    self.count <= count ? self : prefix(max(0, count - 1)) + "…"
  }

  /// Returns the string, cut or padded to a number of characters.
  func fitted(to count: Int) -> String {
    let cut = cut(to: count)
    return cut + String(repeating: " ", count: count - cut.count)
  }
}
