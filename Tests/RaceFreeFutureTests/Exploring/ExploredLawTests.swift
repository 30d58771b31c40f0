// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Small programs of several actors, each run in every order, against a literal queue.
///
/// L8 is about threads, and L10 about depth: neither shows in small programs on one thread.
@Suite struct ExploredLawTests {
  typealias Program = [[ExploredCall]]

  /// Calls that decide, observe, take back and hold up.
  private static let few: [ExploredCall] = [
    .complete, .cancel, .add(nil, .serial), .remove, .perform(.completes),
  ]

  // MARK: L1 to L6

  @Test func `Two actors with one call each, of all calls, do what a literal queue does`() async throws {
    for (a, b) in Self.pairs(ExploredCall.all) { _ = await Self.explored([[a], [b]]) }
  }

  @Test func `Two actors with two calls each do what a literal queue does`() async throws {
    let halves = Self.few.flatMap { first in Self.few.map { [first, $0] } }
    var generator = SeededGenerator(seed: testSeed)
    // These are all; a run with a fraction of the usual iterations takes a part of them by chance.
    for (a, b) in Self.pairs(halves).shuffled(using: &generator).prefix(iterations(325)) {
      _ = await Self.explored([a, b], "seed \(testSeed): ")
    }
  }

  @Test func `Three actors with one call each do what a literal queue does`() async throws {
    for (index, a) in Self.few.enumerated() {
      for (b, c) in Self.pairs(Array(Self.few[index...])) { _ = await Self.explored([[a], [b], [c]]) }
    }
  }

  @Test(arguments: [[4, 4], [3, 3, 3]])
  func `Random programs of larger sizes do what a literal queue does`(sizes: [Int]) async throws {
    for round in 0..<iterations(10) {
      let seed = testSeed &+ UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let program = sizes.map { size in
        (0..<size).map { _ in ExploredCall.all.randomElement(using: &generator) ?? .poll }
      }
      _ = await Self.explored(program, "seed \(seed): ", maxOrders: iterations(300))
    }
  }

  /// All, but in a run with a fraction of the usual iterations a part of them by chance.
  private static let faults: ArraySlice<ExploredModel.Fault> = {
    var generator = SeededGenerator(seed: testSeed)
    let all = ExploredModel.Fault.allCases
    return all.shuffled(using: &generator).prefix(iterations(all.count))
  }()

  @Test(.withoutRecording, arguments: faults)
  func `A model with one line wrong is found out`(fault: ExploredModel.Fault) async {
    // In the order of the list, those that show it would come late.
    var generator = SeededGenerator(seed: 1)
    for (a, b) in Self.pairs(ExploredCall.all).shuffled(using: &generator) {
      let report = await Self.explored([[a], [b]], fault: fault)
      if !report.passed { return }
    }
    Issue.record("no program of two calls shows the difference")
  }

  // MARK: L7, L9, L11

  @Test func `L7 nothing is kept, in whichever order it comes to its end`() async throws {
    await explore("nothing is kept") { scenario in
      let live = LiveCount()
      let (parent, child) = (Future(label: "parent"), Future(label: "child"))
      let registration = Variable<Registration?>(nil)
      do {
        let instance = live.make()
        for future in [parent, child] {
          future.onComplete { instance.touch() }
          future.onCancel(on: .main) { instance.touch() }
          future.cancel(after: .seconds(1))
        }
        registration.value = child.onCleanUp(on: .inline) { instance.touch() }
      }
      parent.cascadeCancellation(to: child)
      scenario.actor("a", .init("complete child") { child.complete() })
      scenario.actor("b", .init("remove") { registration.value?.unregister() })
      scenario.actor("c", .init("cancel parent") { parent.cancel() })
      // The registration is still there, and keeps nothing but the future.
      scenario.atEnd { live.value == 0 ? nil : "what the handlers had captured is still there" }
    }
  }

  @Test func `L9 work that is dropped unfinished wakes its waiters`() async throws {
    await explore("abandonment") { scenario in
      let completer = Variable<Completer<ValueFuture<Int>>?>(ValueFuture.makeCompleter(label: "work"))
      let future = completer.value?.future
      let answers = Variable<[String]>([])
      scenario.actor("waits") { actor in
        do {
          answers.value.append("\(try await future?.value ?? 0)")
        } catch {
          answers.value.append(error is AbandonedError ? "abandoned" : "\(error)")
        }
      }
      scenario.actor(
        "works",
        .init("complete") { completer.value?.complete(with: 1) },
        .init("drop") { completer.value = nil }
      )
      scenario.actor("drops", .init("drop") { completer.value = nil })
      scenario.atEnd { ["1", "abandoned"].contains(answers.value.joined()) ? nil : "\(answers.value)" }
    }
  }

  @Test func `L11 the whole tree is marked before any handler starts`() async throws {
    await explore("a tree") { scenario in
      let root = Future(label: "root")
      let child = Future(linkedTo: root, label: "child")
      let leaf = Future(linkedTo: child, label: "leaf")
      let (wrong, held) = (Variable<String?>(nil), Variable(false))
      for (future, context) in [(root, HandlerPlace.inline), (child, .main), (leaf, .serialQueue)] {
        future.onCancel(on: context) {
          // A child that was completed passes nothing on, and a leaf with a queued block is marked in its turn.
          let leafMayBePending = held.value || child.isCompleted
          guard child.isPending || leaf.isPending && !leafMayBePending else { return }
          wrong.value = "\(future), but \(child) and \(leaf)"
        }
      }
      scenario.actor("one", .init("cancel root") { root.cancel() }, .init("cancel child") { child.cancel() })
      scenario.actor("two", .init("complete child") { child.complete() })
      scenario.actor(
        "three",
        .init("perform") {
          held.value = true
          leaf.perform {}
        }
      )
      scenario.invariant { wrong.value }
      scenario.atEnd { root.isCancelled && !child.isPending ? nil : "\(root), \(child)" }
    }
  }

  /// Runs a program in every order, with three handlers there from the beginning.
  private static func explored(
    _ program: Program,
    _ prefix: String = "",
    maxOrders: Int = 20_000,
    fault: ExploredModel.Fault? = nil
  ) async -> Exploration {
    await explore("\(prefix)\(program)", .exhaustive(maxOrders: maxOrders)) { scenario in
      let subject = Subject(fault)
      for (number, calls) in program.enumerated() {
        scenario.actor(
          "\(number)",
          calls.enumerated().map { index, call in
            .init("\(call)") { subject.call(call, "\(number).\(index)") }
          }
        )
      }
      scenario.invariant { subject.model.follow(subject.logs.value, subject.outcome) }
      scenario.atEnd { subject.model.end(subject.logs.value, subject.outcome) }
      scenario.state { "\(subject.outcome.map { "\($0)" } ?? "pending") \(subject.logs.value)" }
    }
  }

  private static func pairs<Element>(_ elements: [Element]) -> [(Element, Element)] {
    elements.indices.flatMap { first in elements[first...].map { (elements[first], $0) } }
  }

  /// A future with its model.
  private final class Subject {
    let future = Future(label: "future")
    let logs = Variable(ExploredLogs())
    /// Whether a block of the future is running.
    private let isInBlock = Variable(false)
    var model: ExploredModel
    private let first: Registration

    var outcome: Future.Outcome? { future.isPending ? nil : future.isCompleted ? .completed : .cancelled }

    init(_ fault: ExploredModel.Fault?) {
      model = ExploredModel(fault)
      first = Self.add("first", nil, .serial, future, logs, isInBlock)
      _ = Self.add("second", nil, .inline, future, logs, isInBlock)
      _ = Self.add("third", .completed, .given, future, logs, isInBlock)
      model.add("first", nil, .serial)
      model.add("second", nil, .inline)
      model.add("third", .completed, .given)
    }

    func call(_ call: ExploredCall, _ id: String) {
      switch call {
      case .complete: future.complete()
      case .cancel: future.cancel()
      case .tryComplete: logs.value.answers.append("\(id) \(future.tryComplete())")
      case .tryCancel: logs.value.answers.append("\(id) \(future.tryCancel())")
      case .poll: logs.value.answers.append("\(id) \(Self.describe(future))")
      case .add(let trigger, let place): _ = Self.add(id, trigger, place, future, logs, isInBlock)
      case .remove: logs.value.answers.append("\(id) \(first.unregister())")
      case .perform(let inside): perform(id, inside)
      }
      model.call(call, id)
    }

    private func perform(_ id: String, _ inside: ExploredCall.Inside) {
      future.perform { [unowned future, logs, isInBlock] in
        isInBlock.value = true
        logs.value.serial.append("block \(id) \(Self.describe(future))")
        switch inside {
        case .nothing: break
        case .completes: future.complete()
        case .cancels: future.cancel()
        case .adds: _ = Self.add("\(id)+", nil, .serial, future, logs, isInBlock)
        }
        if inside == .completes { _ = Self.add("\(id)+", nil, .inline, future, logs, isInBlock) }
        logs.value.serial.append("end \(id)")
        isInBlock.value = false
      }
    }

    private static let queue = DispatchQueue(label: "given")

    private static func add(
      _ id: String,
      _ trigger: Future.Outcome?,
      _ place: ExploredCall.Place,
      _ future: Future,
      _ logs: Variable<ExploredLogs>,
      _ isInBlock: Variable<Bool>
    ) -> Registration {
      let context: HandlerPlace =
        switch place {
        case .serial: .serialQueue
        case .inline: .inline
        case .given: queue.handlerPlace
        }
      let handler: @Sendable () -> Void = {
        logs.value[place].append("handler \(id)\(isInBlock.value ? " inside of a block" : "")")
      }
      return switch trigger {
      case .completed: future.onComplete(on: context, handler)
      case .cancelled: future.onCancel(on: context, handler)
      case nil: future.onCleanUp(on: context, handler)
      }
    }

    private static func describe(_ future: Future) -> String {
      future.isPending ? "pending" : future.isCompleted ? "completed" : "cancelled"
    }
  }
}
