// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Initializers that run once, and what waits for them.
  @Suite(.serialized) struct DrivenInitializersTests {
    private typealias Shared = DrivenCallsTests.Shared

    /// A token of its own for each order, as a static has one for a process.
    final class Once: @unchecked Sendable {
      private typealias Body = @convention(c) (UnsafeRawPointer?) -> Void
      private typealias Call = @convention(c) (UnsafeMutablePointer<Int>, UnsafeRawPointer?, UnsafeRawPointer?) -> Void

      // Used by the explorer's threads, one at a time; the token is never released, because an order may leave it in the middle.
      nonisolated(unsafe) private static var body: () -> Void = {}
      private let token = UInt(bitPattern: UnsafeMutablePointer<Int>.allocate(capacity: 1))
      private let kind: String

      init(_ kind: String = "swift_once") {
        self.kind = kind
        unsafe UnsafeMutablePointer<Int>(bitPattern: token)?.pointee = 0
      }

      func callAsFunction(_ body: @escaping () -> Void) {
        guard let token = unsafe UnsafeMutablePointer<Int>(bitPattern: token),
          let symbol = unsafe dlsym(nil, kind)
        else {
          Issue.record("\(kind) wasn't found")
          return
        }
        // Read at once.
        unsafe Self.body = body
        let own: Body = { _ in unsafe Once.body() }
        let function = unsafe unsafeBitCast(own, to: UnsafeRawPointer.self)
        // Pointers only; a function that has fewer ignores the rest.
        let call = unsafe unsafeBitCast(symbol, to: Call.self)
        if kind == "dispatch_once_f" { unsafe call(token, nil, function) } else { unsafe call(token, function, nil) }
      }
    }

    static let kinds = ["swift_once", "pthread_once", "dispatch_once_f"]

    @Test(arguments: kinds) func `Who comes while an initializer waits gets what it makes`(kind: String) async {
      let report = await explore(kind) { scenario in Self.meet(scenario, kind, inLock: false) }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
    }

    static func meet(_ scenario: Scenario, _ kind: String, inLock: Bool) {
      let (once, lock, made) = (Once(kind), NSLock(), Shared(0))
      @Sendable func use() { once { lock.withLock { made.value += 1 } } }
      scenario.thread("a") { use() }
      scenario.thread("b") {
        lock.lock()
        if !inLock { lock.unlock() }
        use()
        if inLock { lock.unlock() }
      }
      scenario.atEnd { made.value == 1 ? nil : "made \(made.value) times" }
    }

    @Test(.withoutRecording, arguments: kinds)
    func `An initializer and who needs it under its lock wait for each other`(kind: String) async {
      let report = await explore(kind) { scenario in
        let (once, ready) = (Once(kind), DispatchSemaphore(value: 0))
        scenario.thread("a") { once { ready.wait() } }
        scenario.thread("b") {
          once {}
          ready.signal()
        }
      }
      #expect(
        report.failure?.contains("\"b\" waits for the end of an initializer, which \"a\" runs") == true,
        "\(report)"
      )
    }

    @Test(.withoutRecording) func `An initializer that needs itself is a deadlock`() async {
      let report = await explore("itself") { scenario in
        let once = Once()
        scenario.thread("a") { once { once {} } }
      }
      #expect(
        report.failure?.contains("needs in an initializer what that makes: it waits for itself") == true,
        "\(report)"
      )
    }

    private enum Lazy {
      static let ready = DispatchSemaphore(value: 0)
      static let value: Int = {
        ready.wait()
        return 1
      }()
    }

    @Test(.withoutRecording) func `A static that an order leaves in the middle is told of, in later ones, too`() async {
      for name in ["first", "later"] {
        let report = await explore(name) { scenario in
          scenario.thread("a") { #expect(Lazy.value == 1) }
          scenario.thread("b") {
            if Lazy.value == 1 { Lazy.ready.signal() }
          }
        }
        #expect(report.verdict == .failed, "\(report)")
        #expect(
          report.failure?.contains(name == "first" ? "waits for the end of an initializer" : "never ends") == true,
          "\(report)"
        )
      }
    }
  }
#endif
