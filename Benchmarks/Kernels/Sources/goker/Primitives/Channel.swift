// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

/// A channel with a buffer of fixed size, possibly none, on which tasks wait for each other: Go's `chan`.
///
/// What is sent when it is closed is dropped, where Go's would panic.
final class Channel<Element: Sendable>: @unchecked Sendable {
  private struct Sender {
    let element: Element
    /// Returns false if the sender has chosen something else.
    let isTaken: () -> Bool
    let resume: () -> Void
  }

  private struct Receiver {
    let isTaken: () -> Bool
    let resume: (Element?) -> Void
  }

  fileprivate let number = channelCount.wrappingAdd(1, ordering: .relaxed).newValue
  fileprivate let lock: Explored.Condition
  private let capacity: Int
  // Guarded by the lock.
  private var buffer: [Element] = []
  private var senders: [Sender] = []
  private var receivers: [Receiver] = []
  private var isClosed = false

  init(capacity: Int = 0, fileID: StaticString = #fileID, line: UInt = #line) {
    self.capacity = capacity
    lock = Explored.Condition(fileID: fileID, line: line)
  }

  @inline(never)
  func send(_ element: Element) async { await select(.send(element, to: self) {}) }

  /// Returns nil when the channel is closed and empty.
  @inline(never)
  func receive() async -> Element? { await select(.receive(from: self) { $0 }) }

  func close() {
    lock.lock()
    isClosed = true
    let waiting = receivers.filter { $0.isTaken() }
    let dropped = senders.filter { $0.isTaken() }
    (receivers, senders) = ([], [])
    lock.unlock()
    for receiver in waiting { receiver.resume(nil) }
    for sender in dropped { sender.resume() }
  }

  // MARK: Under the lock

  fileprivate var canSend: Bool { isClosed || buffer.count < capacity || !receivers.isEmpty }

  fileprivate var canReceive: Bool { isClosed || !buffer.isEmpty || !senders.isEmpty }

  /// Returns what is to be done after the lock is released; nil if the sender has to wait.
  fileprivate func sendNow(_ element: Element) -> (() -> Void)? {
    if isClosed { return {} }
    while !receivers.isEmpty {
      let receiver = receivers.removeFirst()
      if receiver.isTaken() { return { receiver.resume(element) } }
    }
    guard buffer.count < capacity else { return nil }
    buffer.append(element)
    return {}
  }

  /// Returns an element, and what is to be done after the lock is released; nil if the receiver has to wait.
  fileprivate func receiveNow() -> (element: Element?, after: () -> Void)? {
    var sender: Sender?
    while sender == nil, !senders.isEmpty {
      let first = senders.removeFirst()
      if first.isTaken() { sender = first }
    }
    if let sender { buffer.append(sender.element) }
    if !buffer.isEmpty { return (buffer.removeFirst(), { sender?.resume() }) }
    return isClosed ? (nil, {}) : nil
  }

  fileprivate func waitToSend(_ element: Element, _ isTaken: @escaping () -> Bool, _ resume: @escaping () -> Void) {
    senders.append(Sender(element: element, isTaken: isTaken, resume: resume))
  }

  fileprivate func waitToReceive(_ isTaken: @escaping () -> Bool, _ resume: @escaping (Element?) -> Void) {
    receivers.append(Receiver(isTaken: isTaken, resume: resume))
  }
}

/// The channels so far: those of a `select` are locked in the order in which they were made.
private let channelCount = Atomic(0)

/// One of the things that `select` waits for.
struct Choice<Result: Sendable> {
  fileprivate let number: Int
  fileprivate let lock: Explored.Condition
  fileprivate let isReady: () -> Bool
  fileprivate let now: () -> (result: Result, after: () -> Void)?
  fileprivate let wait: (_ isTaken: @escaping () -> Bool, CheckedContinuation<Result, Never>) -> Void

  static func send<Element>(
    _ element: Element,
    to channel: Channel<Element>,
    _ result: @escaping () -> Result
  ) -> Choice {
    Choice(
      number: channel.number,
      lock: channel.lock,
      isReady: { channel.canSend },
      now: { channel.sendNow(element).map { (result(), $0) } },
      wait: { isTaken, continuation in
        channel.waitToSend(element, isTaken) { continuation.resume(returning: result()) }
      }
    )
  }

  static func receive<Element>(
    from channel: Channel<Element>,
    _ result: @escaping (Element?) -> Result
  ) -> Choice {
    Choice(
      number: channel.number,
      lock: channel.lock,
      isReady: { channel.canReceive },
      now: { channel.receiveNow().map { (result($0.element), $0.after) } },
      wait: { isTaken, continuation in
        channel.waitToReceive(isTaken) { continuation.resume(returning: result($0)) }
      }
    )
  }
}

/// Waits until one of the choices can be made, and makes it: any one of those that can.
@inline(never)
func select<Result: Sendable>(_ choices: Choice<Result>...) async -> Result {
  await withCheckedContinuation { continuation in
    let made = locking(choices) {
      let made = makeOne(of: choices)
      if made == nil {
        // Of several channels, the first that has something for this task takes it from the others.
        let taken = choices.count > 1 ? Flag() : nil
        for choice in choices { choice.wait({ taken?.take() ?? true }, continuation) }
      }
      return made
    }
    guard let made else { return }
    made.after()
    continuation.resume(returning: made.result)
  }
}

/// Makes one of the choices if one can be made at once; otherwise returns nil: a `select` with a default.
func selectNow<Result: Sendable>(_ choices: Choice<Result>...) -> Result? {
  let made = locking(choices) { makeOne(of: choices) }
  made?.after()
  return made?.result
}

private func locking<Result, Answer>(_ choices: [Choice<Result>], _ body: () -> Answer) -> Answer {
  var locks: [Explored.Condition] = []
  for choice in choices.sorted(by: { $0.number < $1.number }) where locks.last !== choice.lock {
    locks.append(choice.lock)
  }
  for lock in locks { lock.lock() }
  defer { for lock in locks.reversed() { lock.unlock() } }
  return body()
}

private func makeOne<Result>(of choices: [Choice<Result>]) -> (result: Result, after: () -> Void)? {
  var ready = choices.filter { $0.isReady() }
  while !ready.isEmpty {
    var index = 0
    while index < ready.count - 1, either() { index += 1 }
    if let made = ready[index].now() { return made }
    ready.remove(at: index)
  }
  return nil
}
