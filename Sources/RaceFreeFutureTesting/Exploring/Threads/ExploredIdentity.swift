// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The identity of an explored primitive in an order: its name there, and the thread that made it.
///
/// Used only by the one thread of an exploration that runs: that makes it `@unchecked Sendable`.
final class ExploredIdentity: @unchecked Sendable {
  private let kind: String
  private let label: String?
  private let file: StaticString
  private let line: UInt
  /// The number of the order in which it is known.
  private var serial = 0
  private(set) var number = 0
  private var maker: (moment: MemoryModel.Moment, title: String)?

  /// The names that a change touches.
  private(set) var changes: Set<String> = []
  private var looks: [Set<String>] = []

  init(_ kind: String, label: String? = nil, _ file: StaticString, _ line: UInt) {
    self.kind = kind
    self.label = label
    self.file = file
    self.line = line
  }

  var name: String { label ?? "\(kind) \(number)" }

  /// The name, and the place where it was made.
  var fullName: String { "\(name) (\(file):\(line))" }

  /// Returns the names that a read by a thread touches: none in common with other reads.
  func look(by thread: Int) -> Set<String> { thread < looks.count ? looks[thread] : changes }

  private static let mostLookers = 8

  /// Registers it with an order, if it isn't registered.
  ///
  /// - Parameters:
  ///   - place: The place of the thread that makes or uses it.
  ///   - isBeingMade: True if it is made now. A primitive that was made outside of the order is known to all threads.
  /// - Returns: True if it is new there.
  func enter(_ place: ExploredPlace, isBeingMade: Bool = false) -> Bool {
    let run = place.run
    guard serial != run.serial else { return false }
    serial = run.serial
    number = run.threads.counts[kind, default: 0] + 1
    run.threads.counts[kind] = number
    looks = (0..<Self.mostLookers).map { ["\(kind) \(number), thread \($0)"] }
    changes = looks.reduce(into: []) { $0.formUnion($1) }
    maker = nil
    guard isBeingMade else { return true }
    let thread = place.thread
    run.threads.memory.tick(thread?.number ?? 0)
    let title = thread.map { run.title(of: $0.line) } ?? "the scenario"
    maker = (run.threads.memory.moment(of: thread?.number ?? 0), title)
    return true
  }

  /// Makes the order fail if a thread uses a primitive that another one has made, and nothing orders its creation
  /// before the use.
  func isUsed(by thread: ExploredThread) {
    // What orders tasks isn't known here.
    if thread.carrier != nil { return }
    guard let maker, !thread.run.threads.memory.knows(maker.moment, thread.number) else { return }
    thread.fail(
      "\"\(thread.run.title(of: thread.line))\" uses \(fullName), which \"\(maker.title)\" made, and nothing says that it "
        + "was made before: it reached this thread by a store that doesn't release, or a load that doesn't acquire"
    )
  }
}
