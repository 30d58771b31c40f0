// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

@testable import RaceFreeFuture

/// One future, or several linked ones, moved step by step as the threads of the specification are.
///
/// Futures, links, handlers and batches are real, and so is every event of `FutureMachine`; each thread has an `Engine`, which
/// is stopped after each step of a walk, and a `Delivery`. Only the private queues are arrays.
final class SpecifiedFutures {
  /// The name of a call: the client, and the position in its program, from 1; of a decision by a link -1, and 1 or 2.
  struct CallName: Hashable {
    let client: Int
    let position: Int

    var shown: SpecifiedValue { [.number(client), .number(position)] }
  }

  struct Call {
    let name: String
    let future: Int
    let arguments: [SpecifiedValue]

    init(_ value: SpecifiedValue) {
      name = value.elements[0].text
      future = value.elements[1].number
      arguments = Array(value.elements.dropFirst(2))
    }

    init(decidingBy outcome: String) {
      (name, future, arguments) = (outcome, 0, [])
    }

    var isInline: Bool { name == "add" && arguments[0] == "inline" }
    var isBlock: Bool { ["peek", "peekAndWait", "blockComplete", "blockCancel"].contains(name) }
    var isLook: Bool { ["peek", "peekAndWait"].contains(name) }
    var place: HandlerPlace.Kind { isInline ? .inline : .serialQueue }
    var waits: Bool { ["tryComplete", "tryCancel", "peekAndWait"].contains(name) }
    var resolution: Resolution {
      ["complete", "tryComplete", "blockComplete"].contains(name) ? .completed : .cancelled(CancellationError())
    }
    var trigger: Future.Outcome? {
      switch arguments[1].text {
      case "completed": .completed
      case "cancelled": .cancelled
      default: nil
      }
    }
  }

  /// An entry of a private queue: each handler of a batch is one.
  struct Queued {
    let call: CallName
    /// The handler, or the block that was dispatched like one.
    var handler: HandlerID?
    var isFirstOfBatch = true
  }

  let programs: [[Call]]
  let futures: [Future]
  let players: [SpecifiedThread]
  let log = Log()
  /// The names of handlers and links, in the order in which the specification prints them.
  private let handlerNames: [CallName]
  private let linkNames: [SpecifiedValue]

  private var links: [SpecifiedValue: Link] = [:]
  /// The names of nodes and links; the child, or the derived future, has that of what it depends on.
  private var names: [ObjectIdentifier: SpecifiedValue] = [:]
  var nodes: [CallName: HandlerNode] = [:]
  /// The first handlers, one for each future.
  var firsts: [Int: CallName] = [:]
  /// The handlers that have started, and those that were unregistered by a call.
  var started: Set<CallName> = []
  var removed: Set<CallName> = []
  var queues: [[Queued]]
  /// What a queue's thread has told the client that waits.
  var answers: [String?]

  /// Creates the futures with the handlers and links of the initial state.
  init(_ fixed: SpecifiedValue, initially components: [SpecifiedValue]) {
    programs = fixed.elements[0].elements.map { $0.elements.map(Call.init) }
    handlerNames = fixed.elements[1].elements.map(CallName.init)
    linkNames = fixed.elements[2].elements
    let clients = programs.count - 1
    // For each future its state, its queue and the thread of that; and for all three more.
    let count = (components.count - clients - 3) / 3
    futures = Self.futures(count, linkNames)
    queues = Array(repeating: [], count: count)
    answers = Array(repeating: nil, count: clients)
    players =
      (1...clients).map { SpecifiedThread(client: $0, queue: nil) }
      + (1...count).map { SpecifiedThread(client: nil, queue: $0) }
    for name in linkNames {
      if let link = link(name) { links[name] = link } else { names[ObjectIdentifier(futures[name.target])] = name }
    }
    for (future, component) in zip(futures, components) {
      for name in component.elements[2].elements { register(CallName(name)) }
      for name in component.elements[3].elements {
        add(name, to: future)
      }
      // Each is added before the others.
      for name in component.elements[4].elements.reversed() {
        if let link = links[name] { _ = future.process { $0.addSource(link) } }
      }
    }
  }

  /// Creates the futures: what is itself an entry of its source comes after that.
  private static func futures(_ count: Int, _ links: [SpecifiedValue]) -> [Future] {
    let site = CreationSite(#fileID, #line)
    var futures: [Future] = []
    for target in 0..<count {
      let own = links.first { $0.target == target && ($0.kind == "child" || $0.kind == "derive") }
      let source = own.map { futures[$0.source] }
      switch source {
      case let source? where own?.kind == "derive":
        futures.append(DerivedFuture(label: nil, site: site, from: source, .relay))
      case let parent?:
        futures.append(ChildFuture(label: nil, site: site, sources: SourceList(.parent(parent))))
      case nil: futures.append(Future())
      }
    }
    return futures
  }

  /// Creates a link; nil for what is itself an entry of its source.
  private func link(_ name: SpecifiedValue) -> Link? {
    let (source, target) = (futures[name.source], futures[name.target])
    let link: Link
    switch name.kind {
    case "pass": link = Link(.follow, backward: .cascade, from: source, to: target, keeping: .target)
    case "cascade": link = Link(.cascade, from: source, to: target, keeping: .source)
    default: return nil
    }
    names[ObjectIdentifier(link)] = name
    return link
  }

  /// Adds an entry of the initial state.
  private func add(_ name: SpecifiedValue, to future: Future) {
    if let link = links[name] {
      _ = future.process { $0.add(link) }
    } else if name.elements.count == 2 {
      register(CallName(name))
    } else if let derived = futures[name.target] as? DerivedFuture {
      _ = future.process { $0.add(derived) }
    } else if let child = futures[name.target] as? ChildFuture {
      _ = future.process { $0.add(child) }
    }
  }

  private func register(_ name: CallName) {
    let call = call(name)
    if addFirst(name, call) { return }
    _ = future(call).process { $0.add(node(name, call)) }
  }

  // MARK: Calls and handlers

  func call(_ name: CallName) -> Call {
    name.client >= 0
      ? programs[name.client][name.position - 1] : Call(decidingBy: name.position == 1 ? "cancel" : "complete")
  }

  func future(_ call: Call) -> Future { futures[call.future - 1] }

  func number(_ future: Future) -> Int { (futures.firstIndex { $0 === future } ?? -1) + 1 }

  /// Adds a handler without a node, if it is the first one.
  func addFirst(_ name: CallName, _ call: Call) -> Bool {
    guard !call.isBlock else { return false }
    var work: HandlerWork? = .plain(handler(name))
    guard future(call).process({ $0.addFirst(call.trigger, call.place, &work) }) else { return false }
    firsts[call.future] = name
    return true
  }

  /// Creates the node of a handler, or of a block that is dispatched like one.
  func node(_ name: CallName, _ call: Call) -> HandlerNode {
    let node =
      call.isBlock
      ? HandlerNode(nil, .serialQueue, role: .library, .plain {})
      : HandlerNode(call.trigger, call.place, .plain(handler(name)))
    names[ObjectIdentifier(node)] = name.shown
    if !call.isBlock { nodes[name] = node }
    return node
  }

  private func handler(_ name: CallName) -> @Sendable () -> Void {
    let (log, shown) = (log, name.shown)
    return { log.append(["handler", shown, "none"]) }
  }

  func name(_ entry: ObjectIdentifier) -> SpecifiedValue { names[entry] ?? "unknown" }

  func name(_ handler: HandlerID, of future: Int) -> SpecifiedValue {
    switch handler {
    case .first: firsts[future]?.shown ?? "unknown"
    case .node(let node): name(ObjectIdentifier(node))
    }
  }

  /// The events of a step, which its handlers, too, add to.
  final class Log: Sendable {
    private let events = Locked<[SpecifiedValue]>([])

    func append(_ event: SpecifiedValue) { events.withLock { $0.append(event) } }
    func takeAll() -> SpecifiedValue { .tuple(events.withLock { exchange(&$0, with: []) }) }
  }

  // MARK: The end

  /// Lets all threads come to their end, and breaks the cycles of links.
  ///
  /// No program has a hundred steps; but code that differs from the specification might never come to an end.
  func finish() {
    for _ in 0..<1_000 {
      guard let thread = readyThreads.min() else { break }
      _ = step(thread)
    }
    for future in futures { future.cancel() }
  }
}

extension SpecifiedFutures.CallName {
  /// A decision by a link.
  init(decidingBy resolution: Resolution) {
    self.init(client: -1, position: resolution.outcome == .cancelled ? 1 : 2)
  }

  init(_ value: SpecifiedValue) {
    self.init(client: value.elements[0].number, position: value.elements[1].number)
  }
}

// MARK: - The state

extension SpecifiedFutures {
  /// The state, as the module `Graph` of the specification shows it.
  var shown: [SpecifiedValue] {
    var components: [SpecifiedValue] = []
    for number in 1...futures.count { components.append(shownFuture(number)) }
    for queue in queues { components.append(.tuple(queue.map(\.call.shown))) }
    for player in players { components.append(player.shown(in: self)) }
    components.append(.tuple(handlerNames.map { .text(claim(of: $0)) }))
    components.append(.tuple(linkNames.filter { links[$0]?.isDetached == true }))
    components.append(.tuple(answers.map { $0.map { [.text($0)] } ?? [] }))
    return components
  }

  private func shownFuture(_ number: Int) -> SpecifiedValue {
    let (names, first) = (names, firsts[number]?.shown)
    return futures[number - 1].process { machine in
      var (list, late): ([SpecifiedValue], [SpecifiedValue]) = ([], [])
      machine.handlers.entries.forEach { entry in
        let name = entry.object.flatMap { names[ObjectIdentifier($0)] } ?? "unknown"
        if entry.standing == .late { late.append(name) } else { list.append(name) }
      }
      var sources: [SpecifiedValue] = []
      machine.sources.forEach { sources.append(names[$0.identity(of: self.futures[number - 1])] ?? "unknown") }
      return [
        .text("\(machine.phase)"), .text(machine.resolution.map { "\($0.outcome)" } ?? "none"),
        .tuple(machine.handlers.first.isWaiting ? [first ?? "unknown"] : []), .tuple(list), .tuple(sources),
        .number(Int(machine.inLine)), .tuple(late), .truth(machine.flags.contains(.hasFirst)),
      ]
    }
  }

  private func claim(of name: CallName) -> String {
    if started.contains(name) { return "started" }
    if removed.contains(name) { return "removed" }
    guard nodes[name] != nil || firsts[call(name).future] == name else { return "waiting" }
    let isDropped = future(call(name)).process { machine in
      guard let node = nodes[name] else { return machine.handlers.first.shown == "over" }
      // One of the other outcome is released with the next step.
      let isOfOther = machine.resolution.map { !node.handler.matches($0.outcome) } ?? false
      return isOfOther && node.standing == .taken || node.handler.shown == "over"
    }
    return isDropped ? "dropped" : "waiting"
  }
}

extension SpecifiedValue {
  // A link: the indices of its ends, and its kind.
  fileprivate var source: Int { elements[0].number - 1 }
  fileprivate var target: Int { elements[1].number - 1 }
  fileprivate var kind: String { elements[2].text }
}

extension Entry {
  /// The object of an entry that isn't a timer; the list keeps it, or it is a child that exists.
  fileprivate var object: AnyObject? {
    switch self {
    case .node(let node): unsafe node.takeUnretainedValue()
    case .link(let link): unsafe link.takeUnretainedValue()
    case .child(let child): unsafe child.takeUnretainedValue()
    case .derived(let derived): unsafe derived.takeUnretainedValue()
    case .timer: nil
    }
  }
}

extension SourceList.Source {
  /// The identity of what the specification calls a link: its object, or the future that is itself the entry.
  func identity(of target: Future) -> ObjectIdentifier {
    if case .link(let link) = self { ObjectIdentifier(link) } else { ObjectIdentifier(target) }
  }
}
