// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// From SCTBench (Thomson, Donaldson and Betts, 2014): CS/*, by Cordeiro and Fischer's concurrent software benchmarks, and
// CB/stringbuffer-jdk1.4, by Yu. Their main threads only start the others and wait for them: here all begin at once. Shared
// variables without a lock are `Variable`s: sequentially consistent, as the published tools take them.

let locks: [Kernel] = [
  Kernel("CS/account", account),
  Kernel("CS/bluetooth_driver", bluetoothDriver),
  Kernel("CS/carter01", carter),
  Kernel("CS/deadlock01", deadlock),
  Kernel("CS/lazy01", lazy),
  Kernel("CS/token_ring", tokenRing),
  Kernel("CS/wronglock", { wrongLock($0, others: 7) }),
  Kernel("CS/wronglock_3", { wrongLock($0, others: 3) }),
  Kernel("CB/stringbuffer-jdk1.4", stringBuffer),
]

/// Somebody checks the balance of an account after both transactions, with the wrong sign for the deposit.
private func account(_ scenario: Scenario) {
  let account = Explored.Mutex((balance: 1, isPaidIn: false, isPaidOut: false))
  scenario.thread("check") {
    try account.withLock { account throws(Bug) in
      if account.isPaidIn, account.isPaidOut { try check(account.balance == (1 - 2) - 4, "the balance is wrong") }
    }
  }
  scenario.thread("deposit") { account.withLock { ($0.balance, $0.isPaidIn) = ($0.balance + 2, true) } }
  scenario.thread("withdraw") { account.withLock { ($0.balance, $0.isPaidOut) = ($0.balance - 4, true) } }
}

/// A driver is stopped between the moment at which a request sees that it isn't, and the moment at which it is counted.
private func bluetoothDriver(_ scenario: Scenario) {
  let pending = Explored.Mutex(1)
  let (isStopping, isIdle, isStopped) = (Variable(false), Variable(false), Variable(false))
  func end() {
    if pending.withLock({
      $0 -= 1; return $0
    }) == 0 {
      isIdle.value = true
    }
  }
  scenario.thread("request") {
    if !isStopping.value {
      pending.withLock { $0 += 1 }
      try check(!isStopped.value, "a request is served by a driver that has stopped")
    }
    end()
  }
  scenario.thread("stop") {
    isStopping.value = true
    end()
    if isIdle.value { isStopped.value = true }
  }
}

/// The first of each class takes the lock that keeps the other class out, while it holds the one of the counts.
private func carter(_ scenario: Scenario) {
  let (counts, turn) = (Explored.Condition(), Explored.Condition())
  for name in ["A", "B"] {
    var count = 0
    scenario.thread(name) {
      counts.lock()
      count += 1
      if count == 1 { turn.lock() }
      counts.unlock()
      counts.lock()
      count -= 1
      if count == 0 { turn.unlock() }
      counts.unlock()
    }
  }
  for name in ["idle", "idle, too"] { scenario.thread(name) {} }
}

/// Two locks are taken in either order.
private func deadlock(_ scenario: Scenario) {
  let a = Explored.Mutex(())
  let b = Explored.Mutex(())
  var counter = 1
  scenario.thread("a, b") { a.withLock { _ in b.withLock { _ in counter += 1 } } }
  scenario.thread("b, a") { b.withLock { _ in a.withLock { _ in counter -= 1 } } }
}

/// The third in line finds that both others were there.
private func lazy(_ scenario: Scenario) {
  let data = Explored.Mutex(0)
  scenario.thread("one") { data.withLock { $0 += 1 } }
  scenario.thread("two") { data.withLock { $0 += 2 } }
  scenario.thread("three") { try data.withLock { data throws(Bug) in try check(data < 3, "both were there") } }
}

/// Three copy a number round a ring, each once, and the fourth expects them to be equal.
private func tokenRing(_ scenario: Scenario) {
  let ring = Explored.Mutex((x: 1, y: 2, z: 1, seen: 0))
  scenario.thread("x") { ring.withLock { ($0.x, $0.seen) = (($0.z + 1) % 4, $0.seen + 1) } }
  scenario.thread("y") { ring.withLock { ($0.y, $0.seen) = ($0.x, $0.seen + 1) } }
  scenario.thread("z") { ring.withLock { ($0.z, $0.seen) = ($0.y, $0.seen + 1) } }
  scenario.thread("check") {
    try ring.withLock { ring throws(Bug) in
      if ring.seen == 3 { try check(ring.x == ring.y && ring.y == ring.z, "they aren't equal") }
    }
  }
}

/// One increments a number under a lock, the others under another lock.
private func wrongLock(_ scenario: Scenario, others: Int) {
  let right = Explored.Mutex(())
  let wrong = Explored.Mutex(())
  let data = Variable(0)
  func increment() {
    let old = data.value
    data.value = old + 1
  }
  scenario.thread("right") {
    try right.withLock { _ throws(Bug) in
      let before = data.value
      increment()
      try check(data.value == before + 1, "somebody else changed it")
    }
  }
  for number in 1...others { scenario.thread("wrong \(number)") { wrong.withLock { _ in increment() } } }
}

/// The string buffer of JDK 1.4: appending another one asks for its length, then copies as many characters.
private final class StringBuffer {
  private let characters: Explored.Mutex<[Character]>

  init(_ text: String = "") { characters = Explored.Mutex(Array(text)) }

  private var length: Int { characters.withLock { $0.count } }

  private func prefix(_ count: Int) throws(Bug) -> [Character] {
    try characters.withLock { characters throws(Bug) in
      try check(count <= characters.count, "it has become shorter meanwhile")
      return Array(characters.prefix(count))
    }
  }

  func append(_ other: StringBuffer) throws(Bug) {
    try characters.withLock { characters throws(Bug) in characters += try other.prefix(other.length) }
  }

  func append(_ text: String) { characters.withLock { $0 += text } }

  func removeFirst(_ count: Int) { characters.withLock { $0.removeFirst(min(count, $0.count)) } }
}

/// A buffer is emptied between the question for its length and the copy.
private func stringBuffer(_ scenario: Scenario) {
  let shared = StringBuffer("abc")
  scenario.thread("append") { try StringBuffer().append(shared) }
  scenario.thread("replace") {
    shared.removeFirst(3)
    shared.append("abc")
  }
}
