// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

// Sequences of events of links; each event by itself is in the table of `FutureMachineTests`.
extension FutureMachineTests {
  @Test func `a future with links is marked before its handlers are handed out`() {
    var machine = FutureMachine()
    expect(machine.add(Link.unconnected()), "keep")
    _ = machine.add(HandlerNode(nil, .inline, .plain {}))
    expect(machine.decide(.completed, .arriving, on: thread), "mark")
    let delivery = machine.deliveryOfMarked()
    #expect(machine.phase == .delivering && delivery.step.name == "run" && delivery.dropped.all.count == 1)
  }

  @Test func `a block goes the way of a handler that was added while neighbors are notified`() {
    var machine = FutureMachine()
    expect(machine.add(Link.unconnected()), "keep")
    expect(machine.decide(.completed, .arriving, on: thread), "mark")
    expect(machine.add(HandlerNode(nil, .serialQueue, .plain {})), "keep")
    let followsHandlers = machine.performBegan()
    #expect(followsHandlers)
  }

  @Test func `links to which an outcome means nothing don't hold it up`() {
    for rule in [Link.Rule.cascade, .answerCompletion(0)] {
      var machine = FutureMachine()
      expect(machine.add(Link.unconnected(rule)), "keep")
      expect(machine.decide(.completed, .arriving, on: thread), "deliver")
    }
  }

  @Test func `a link that its target has dropped is not taken in`() {
    var machine = FutureMachine()
    let link = Link.unconnected()
    machine.detach(link)
    expect(machine.add(link), "drop")
  }

  @Test func `the neighbors are collected in order, but for the one that is known`() {
    var machine = FutureMachine()
    let links = (0..<3).map { _ in Link.unconnected(.follow) }
    for link in links { _ = machine.add(link) }
    let back = Link.unconnected(backward: .dismiss)
    _ = machine.addSource(back)
    switch machine.decide(.completed, .arriving, on: thread) {
    case .mark(let neighbors, _):
      #expect(all(neighbors).elementsEqual(links + [back]) { $0 === $1 })
    default:
      Issue.record("not marked")
    }
    // One drops out while the others are notified; another walk comes along.
    machine.detach(links[1])
    #expect(
      all(machine.neighborsToJoin(except: ObjectIdentifier(links[0]))).elementsEqual([links[2], back]) { $0 === $1 }
    )
    _ = machine.marked(on: thread)
    #expect(machine.neighborsToJoin(except: ObjectIdentifier(links[0])).isEmpty)
  }

  @Test func `only links that an outcome concerns lead to neighbors`() {
    var machine = FutureMachine()
    let (cascade, follow) = (Link.unconnected(.cascade), Link.unconnected(.follow))
    for link in [cascade, follow] { expect(machine.add(link), "keep") }
    switch machine.decide(.completed, .arriving, on: thread) {
    case .mark(let neighbors, _): #expect(all(neighbors).elementsEqual([follow]) { $0 === $1 })
    default: Issue.record("not marked")
    }
  }

  @Test func `a future is left to its work without links and blocks`() {
    func isLeft(_ change: (inout FutureMachine) -> Void) -> Bool {
      var machine = FutureMachine()
      change(&machine)
      return machine.isLeftToItsWork
    }
    #expect(isLeft { _ in })
    #expect(!isLeft { _ = $0.addSource(Link.unconnected(.follow)) })
    #expect(!isLeft { _ = $0.add(Link.unconnected(.follow)) })
    #expect(!isLeft { _ = $0.performBegan() })
    #expect(!isLeft { _ = $0.decide(.completed, .arriving, on: thread) })
  }

  private func all(_ neighbors: FutureMachine.Neighbors) -> [Link] {
    var (neighbors, all) = (neighbors, [Link]())
    while case .link(let link, let end)? = neighbors.popFirst() {
      #expect((end == .target) == link.isAtTarget)
      all.append(link)
    }
    #expect(neighbors.isEmpty)
    return all
  }

  @Test(arguments: [Link.End.source, .target])
  func `a link that acts one way is used up although the decision has to be queued`(kept: Link.End) {
    let (source, target) = (Future(), Future())
    let link = Link(.cascade, from: source, to: target, keeping: kept)
    var machine = FutureMachine()
    _ = machine.addSource(link)
    _ = machine.performBegan()
    let reason = Resolution.cancelled(CancellationError())
    expect(machine.arrive(reason, along: link, from: .source), "enqueue")
    #expect(!link.isAtTarget)
    expect(machine.arrive(reason, along: link, from: .source), "ignore")
  }

  @Test func `a link that acts both ways stays, so that another walk can come back by it`() {
    var machine = FutureMachine()
    let link = Link.unconnected(.follow, backward: .cascade)
    _ = machine.addSource(link)
    _ = machine.addFirst(nil, .inline)
    expect(machine.arrive(.cancelled(CancellationError()), along: link, from: .source), "mark")
    #expect(link.isAtTarget)
    let neighbors = all(machine.neighborsToJoin(except: nil))
    #expect(neighbors.elementsEqual([link]) { $0 === $1 })
  }

  @Test func `a link that was taken from its target has no effect on it any more`() {
    let (source, target) = (Future(), Future())
    let link = Link(.cascade, from: source, to: target, keeping: .source)
    var machine = FutureMachine()
    _ = machine.addSource(link)
    machine.ignore(link)
    #expect(name(machine.arrive(.cancelled(CancellationError()), along: link, from: .source)) == "ignore")
    #expect(machine.phase == .pending)
  }

  @Test func `a link that acts both ways has no effect on a target that has dropped it`() {
    var machine = FutureMachine()
    let link = Link.unconnected(.follow, backward: .cascade)
    _ = machine.addSource(link)
    machine.ignore(link)
    expect(machine.arrive(.cancelled(CancellationError()), along: link, from: .source), "ignore")
    #expect(machine.phase == .pending)
  }

  @Test func `the only link of a future without handlers leaves it, so that it is finished at once`() {
    var machine = FutureMachine()
    let link = Link.unconnected(.follow, backward: .cascade)
    _ = machine.addSource(link)
    expect(machine.arrive(.cancelled(CancellationError()), along: link, from: .source), "finish")
    #expect(!link.isAtTarget)
  }

  @Test func `the only link stays until a queued decision has had its turn`() {
    var machine = FutureMachine()
    let link = Link.unconnected(.follow, backward: .cascade)
    _ = machine.addSource(link)
    _ = machine.performBegan()
    expect(machine.arrive(.cancelled(CancellationError()), along: link, from: .source), "enqueue")
    #expect(link.isAtTarget)
  }

  @Test(arguments: 0..<2)
  func `each of several links stays when one of them decides`(index: Int) {
    var machine = FutureMachine()
    let links = (0..<2).map { _ in Link.unconnected(.follow, backward: .cascade) }
    for link in links { _ = machine.addSource(link) }
    expect(machine.arrive(.cancelled(CancellationError()), along: links[index], from: .source), "mark")
    #expect(links.filter(\.isAtTarget).count == 2)
  }

  @Test func `a stage on a queue waits for the handlers that came before it`() {
    var machine = FutureMachine()
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    expect(machine.decide(.completed, .arriving, on: thread), "deliver")
    expect(machine.add(Link.unconnected(.answerCompletion(0), on: .serialQueue)), "keep")
  }

  @Test func `a future without handlers is resolved when its sources are handed out, and isn't delivered`() {
    var machine = FutureMachine()
    _ = machine.addSource(Link.unconnected(.cascade))
    switch machine.decide(.completed, .arriving, on: thread) {
    case .finish(let sources): #expect(!sources.isEmpty)
    default: Issue.record("not finished")
    }
    #expect(machine.phase == .resolved)
  }

  @Test func `a source that is told twice counts once`() {
    var machine = FutureMachine()
    let countdown = Link.Countdown(2)
    let links = (0..<2).map { _ in Link.unconnected(.all(countdown)) }
    for link in links { _ = machine.addSource(link) }
    for _ in 0..<3 { #expect(name(machine.arrive(.completed, along: links[0], from: .source)) == "ignore") }
    #expect(name(machine.arrive(.completed, along: links[1], from: .source)) == "finish")
  }

  @Test func `a decision by a link that has to be queued holds up those that come after it`() {
    var machine = FutureMachine()
    let link = Link.unconnected()
    _ = machine.addSource(link)
    _ = machine.performBegan()
    #expect(name(machine.arrive(.completed, along: link, from: .source)) == "enqueue")
    #expect(name(machine.performEnded(on: thread)) == "ignore")
    expect(machine.decide(.cancelled(CancellationError()), .arriving, on: thread), "enqueue")
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `links that leave the target in any order leave the others with it`(order: [Int]) {
    var links = (0..<3).map { _ in Link.unconnected() }
    let all = links
    var list = SourceList()
    for link in links { list.prepend(link) }
    for index in order {
      list.remove(all[index])
      links.removeAll { $0 === all[index] }
      var left: [Link] = []
      list.forEach { if case .link(let link) = $0 { left.append(link) } }
      #expect(left.map(ObjectIdentifier.init) == links.reversed().map(ObjectIdentifier.init))
      #expect(!all[index].isAtTarget && all[index].later.isEmpty)
    }
  }
}

/// The ends of all links here.
private let (source, target) = (Future(), Future())

extension Link {
  /// A link that is in no list.
  static func unconnected(
    _ rule: Link.Rule = .follow,
    backward: Link.Backward = .nothing,
    on context: HandlerPlace.Kind = .inline
  ) -> Link {
    var to = target
    switch rule {
    case .answer, .answerCompletion, .relay:
      to = DerivedFuture(label: nil, site: CreationSite(#fileID, #line), on: context, .relay)
    case .cascade, .follow, .all, .any: break
    }
    return Link(rule, backward: backward, from: source, to: to, keeping: .target)
  }
}
