// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The identity of an explored primitive in an order: its name there, and the thread that made it.
///
/// Used only by the one thread of an exploration that runs: that makes it `@unchecked Sendable`.
final class ExploredIdentity: @unchecked Sendable {
  private let kind: String
  private let label: String?
  /// The place where it was made, or used first.
  private let origin: () -> String
  /// The number of the order in which it is known.
  private var serial = 0
  private(set) var number = 0
  private var maker: (moment: MemoryModel.Moment, title: String)?

  /// The number among all primitives of the order.
  private var thing = 0

  init(_ kind: String, label: String? = nil, at origin: @escaping () -> String) {
    self.kind = kind
    self.label = label
    self.origin = origin
  }

  convenience init(_ kind: String, label: String? = nil, _ file: StaticString, _ line: UInt) {
    self.init(kind, label: label) { "\(file):\(line)" }
  }

  var name: String { label ?? "\(kind) \(number)" }

  /// The name, and the place where it was made.
  var fullName: String {
    let origin = origin()
    return origin.isEmpty ? name : "\(name) (\(origin))"
  }

  /// A step that changes it.
  var changes: Footprint { Footprint(.primitive(thing), .write) }
  /// A step that changes it, and waits until it can.
  var waits: Footprint {
    var changes = changes
    changes.mayWait = true
    return changes
  }
  /// A step that only looks at it.
  var looks: Footprint { Footprint(.primitive(thing), .read) }
  /// A step that takes it, as a lock, and waits until it is free; and one that gives it back.
  var takes: Footprint {
    var takes = Footprint(.primitive(thing), .take)
    takes.mayWait = true
    return takes
  }
  var gives: Footprint { Footprint(.primitive(thing), .give) }

  /// A step that looks at what sequentially consistent accesses know of it, and perhaps adds to that.
  func sequence(adds: Bool) -> Footprint { Footprint(.sequence(thing), adds ? .write : .read) }

  /// Registers it with an order, if it isn't registered.
  ///
  /// - Parameters:
  ///   - place: The place of the thread that makes or uses it.
  ///   - isBeingMade: True if it is made now. A primitive that was made outside of the order is known to all threads.
  ///   - isUsedAtOnce: True if the use is no step of its own in a task.
  /// - Returns: True if it is new there.
  func enter(_ place: ExploredPlace, isBeingMade: Bool = false, isUsedAtOnce: Bool = false) -> Bool {
    let run = place.run
    // A cell makes no step, but is looked after.
    if let thread = place.thread, thread.carrier == nil { run.threads.acted.insert(thread.line) }
    // A step of a task, or of an actor, that takes the operation at once.
    defer {
      let isAtOnce = place.thread == nil || place.carrier != nil && (isBeingMade || isUsedAtOnce)
      if isAtOnce, !run.turns.isLooking, run.reduction == .ofTasks { run.trail.use(changes) }
    }
    guard serial != run.serial else { return false }
    if !isBeingMade || place.carrier != nil { run.trail.usesSomethingNew() }
    serial = run.serial
    number = run.threads.counts[kind, default: 0] + 1
    run.threads.counts[kind] = number
    run.threads.count += 1
    if run.recorder.isOn, label == nil, case let origin = origin(), !origin.isEmpty {
      run.recorder.places.append((name, origin))
    }
    thing = run.threads.count
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
