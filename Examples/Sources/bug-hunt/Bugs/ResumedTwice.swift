// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An answer and a refusal both find the continuation.
enum ResumedTwice {
  static let bug = Bug(id: "A4", title: "A continuation that is resumed twice", async: program)

  private actor Request {
    private var continuation: CheckedContinuation<Int, Never>?
    private let log = Log()

    func value() async -> Int { await withCheckedContinuation { continuation = $0 } }

    func naive(_ value: Int) async {
      guard let continuation else { return }
      await log.add(value)
      continuation.resume(returning: value)
      self.continuation = nil
    }

    func fixed(_ value: Int) async {
      guard let continuation else { return }
      self.continuation = nil
      await log.add(value)
      continuation.resume(returning: value)
    }

    var isWaiting: Bool { continuation != nil }
  }

  private actor Log {
    private var all: [Int] = []
    func add(_ value: Int) { all.append(value) }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let request = Request()
    let value = Task { await request.value() }
    while await !request.isWaiting { await Task.yield() }
    @Sendable func reply(_ value: Int) async {
      if side == .naive { await request.naive(value) } else { await request.fixed(value) }
    }
    async let answer: Void = reply(1)
    async let refusal: Void = reply(2)
    _ = await (answer, refusal, value.value)
    return nil
  }
}
