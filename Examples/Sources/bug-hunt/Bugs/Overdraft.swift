// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A condition that was checked before an `await` may no longer hold after it.
enum Overdraft {
  static let bug = Bug(id: "A2", title: "Check, await, act", async: program)

  private actor Account {
    private(set) var balance = 100
    private let audit = Audit()

    func naive(_ amount: Int) async {
      guard balance >= amount else { return }
      await audit.note(amount)
      balance -= amount
    }

    func fixed(_ amount: Int) async {
      guard balance >= amount else { return }
      balance -= amount
      await audit.note(amount)
    }
  }

  private actor Audit {
    private var sum = 0
    func note(_ amount: Int) { sum += amount }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let account = Account()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { if side == .naive { await account.naive(80) } else { await account.fixed(80) } }
      }
    }
    let balance = await account.balance
    return balance < 0 ? "the balance is \(balance)" : nil
  }
}
