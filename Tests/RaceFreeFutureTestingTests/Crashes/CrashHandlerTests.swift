// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  import RaceFreeFutureTesting
  @testable import RaceFreeFutureTestingTools

  /// What a process says that dies during a test, and that it dies as it would have without.
  @Suite(.exitTests) struct CrashHandlerTests {
    @Test func `an actor that traps is named with race, round and seed`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .failure,
          observing: [\.standardErrorContent]
        ) {
          let number = Atomic(0)
          _ = await race(
            "a trap\nin the second actor",
            .init(rounds: 10_000, seed: 42),
            make: { number.add(1, ordering: .relaxed).newValue },
            actors: { (_: Int) in },
            { (round: Int) in if round == 1_234 { fatalError("that's all") } },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
        }
      )
      #expect(errors.contains("that's all"), "\(errors)")
      #expect(errors.contains(") during the race \"a trap\\nin the second actor\"\n"), "\(errors)")
      #expect(errors.contains("\n  actor 2: round 1,234, and crashed\n"), "\(errors)")
      #expect(errors.contains("\nagain: RACEFREEFUTURE_SEED=42 swift test"), "\(errors)")
    }

    #if os(Linux)
      @Test func `a deadlock of two mutexes, which the kernel finds, is told as well`() async throws {
        let errors = try await standardError(
          #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
          ) {
            _ = await race(
              "a then b against b then a",
              .init(rounds: 10_000, seed: 7),
              make: { TwoLocks() },
              actors: { $0.lockInOrder() },
              { $0.lockInReverse() },
              outcome: { _, _, _ in true },
              expect: [.acceptable(true)]
            )
          }
        )
        #expect(errors.contains("during the race \"a then b against b then a\"\n"), "\(errors)")
        // Both are in the same round, and one of them has found it.
        let places = errors.split(separator: "\n").filter { $0.hasPrefix("  actor ") }.map { $0.dropFirst(11) }
        #expect(places.count == 2, "\(errors)")
        #expect(places.count { $0.hasSuffix(", and crashed") } == 1, "\(errors)")
        #expect(errors.contains("\nagain: RACEFREEFUTURE_SEED=7 swift test"), "\(errors)")
      }
    #endif

    @Test func `of two threads that crash together one reports, and the other waits for the end`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .exitCode(99),
          observing: [\.standardErrorContent]
        ) {
          // The handlers before: the first one to come waits until the other thread has crashed, and waits as well.
          for number in [SIGSEGV, SIGBUS] {
            signal(number) { _ in
              guard TwoCrashes.handled.add(1, ordering: .relaxed).newValue == 1 else { _exit(98) }
              TwoCrashes.second.store(true, ordering: .releasing)
              while !ThreadStatus(of: TwoCrashes.thread.load(ordering: .acquiring)).words.hasPrefix("waits") {}
              _exit(99)
            }
          }
          _ = await race(
            "both crash",
            .init(rounds: 10),
            make: { 0 },
            actors: { (_: Int) in
              while TwoCrashes.thread.load(ordering: .acquiring) == 0 {}
              raise(SIGSEGV)
            },
            { (_: Int) in
              TwoCrashes.thread.store(CurrentThread.systemNumber, ordering: .releasing)
              while !TwoCrashes.second.load(ordering: .acquiring) {}
              raise(SIGBUS)
            },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
        }
      )
      let lines = errors.split(separator: "\n")
      #expect(lines.count { $0.contains("the process dies (SIG") } == 1, "\(errors)")
      #expect(lines.count { $0.hasPrefix("  actor ") } == 2, "\(errors)")
      #expect(errors.contains("\n  actor 1: round 1, and crashed\n"), "\(errors)")
    }

    @Test func `a make that traps is named`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .failure,
          observing: [\.standardErrorContent]
        ) {
          let made = Atomic(0)
          _ = await race(
            "make",
            .init(rounds: 10_000),
            make: { precondition(made.add(1, ordering: .relaxed).newValue < 500) },
            actors: { _ in },
            { _ in },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
        }
      )
      #expect(errors.contains("\n  make: round 500, and crashed\n"), "\(errors)")
    }

    @Test func `a call that traps in a linearizability stress is named`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .failure,
          observing: [\.standardErrorContent]
        ) {
          _ = await linearizabilityStress(
            "Trap",
            seed: 42,
            make: { 0 },
            model: 0,
            operations: [.init("trap(1)", { _ in fatalError("that's all") }, model: { _ in })]
          )
        }
      )
      #expect(errors.contains("during the linearizability stress \"Trap\"\n"), "\(errors)")
      #expect(errors.contains(": history 1, in trap(1), and crashed\n"), "\(errors)")
      #expect(errors.contains("\nagain: RACEFREEFUTURE_SEED=42 swift test"), "\(errors)")
    }

    @Test func `the handler that was there before is called next`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .exitCode(99),
          observing: [\.standardErrorContent]
        ) {
          exitAt([SIGILL, SIGTRAP])
          await trappingRace()
        }
      )
      #expect(errors.contains("during the race \"trap\""), "\(errors)")
      #expect(errors.hasSuffix("the handler before\n"), "\(errors)")
    }

    @Test func `a signal that is sent comes again, too`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .exitCode(99),
          observing: [\.standardErrorContent]
        ) {
          exitAt([SIGSEGV])
          await trappingRace { raise(SIGSEGV) }
        }
      )
      #expect(errors.contains("the process dies (SIGSEGV) during the race \"trap\""), "\(errors)")
      #expect(errors.hasSuffix("the handler before\n"), "\(errors)")
    }

    @Test func `without a handler before the process dies of the signal`() async {
      await #expect(processExitsWith: .signal(SIGABRT)) {
        // Whatever the testing library or the language's backtraces have there.
        signal(SIGABRT, SIG_DFL)
        await trappingRace { abort() }
      }
    }

    @Test func `when the race is over nothing is said any more, and the handlers are those of before`() async throws {
      let errors = try await standardError(
        #require(
          processExitsWith: .exitCode(99),
          observing: [\.standardErrorContent]
        ) {
          exitAt([SIGILL, SIGTRAP])
          _ = await race(
            "over",
            .init(rounds: 10),
            make: { 0 },
            actors: { $0 },
            { $0 },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
          fatalError("later")
        }
      )
      #expect(!errors.contains("\"over\""), "\(errors)")
      #expect(errors.hasSuffix("the handler before\n"), "\(errors)")
    }

    private func standardError(_ result: ExitTest.Result) -> String {
      String(decoding: result.standardErrorContent, as: UTF8.self)
    }
  }

  /// A race whose actor ends the process.
  private func trappingRace(_ end: @escaping @Sendable () -> Void = { fatalError("that's all") }) async {
    _ = await race(
      "trap",
      .init(rounds: 10),
      make: { 0 },
      actors: { (_: Int) in end() },
      { (_: Int) in },
      outcome: { _, _, _ in true },
      expect: [.acceptable(true)]
    )
  }

  /// The course of two crashes.
  private enum TwoCrashes {
    /// The number of the thread that crashes second.
    static let thread = Atomic(0)
    static let second = Atomic(false)
    static let handled = Atomic(0)
  }

  /// Installs handlers that write a line and exit with 99.
  private func exitAt(_ signals: [CInt]) {
    for number in signals {
      signal(number) { _ in
        let line: StaticString = "the handler before\n"
        // The text is a constant of so many bytes.
        _ = unsafe write(2, line.utf8Start, line.utf8CodeUnitCount)
        _exit(99)
      }
    }
  }

  #if os(Linux)
    /// Two locks, of which each actor holds one before it takes the other.
    private final class TwoLocks: Sendable {
      private let first = Mutex(0)
      private let second = Mutex(0)
      private let holders = Atomic(0)

      func lockInOrder() { first.withLock { _ in second(meeting: second) } }
      func lockInReverse() { second.withLock { _ in second(meeting: first) } }

      private func second(meeting other: borrowing Mutex<Int>) {
        holders.add(1, ordering: .sequentiallyConsistent)
        while holders.load(ordering: .sequentiallyConsistent) < 2 {}
        other.withLock { $0 += 1 }
      }
    }
  #endif
#endif
