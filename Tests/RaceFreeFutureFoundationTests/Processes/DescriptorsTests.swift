// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @testable import RaceFreeFutureFoundation

  /// What changes the descriptors of a program runs in a process of its own.
  @Suite(.exitTests) struct DescriptorsTests {
    @Test func `however few descriptors are free, a launch succeeds or fails clearly`() async {
      await #expect(processExitsWith: .success) {
        await startTimers()
        let standard = target(of: 0)
        setLimit(greatest() + 60)
        var held: [Int32] = []
        while case let descriptor = dup(0), descriptor >= 0 { held.append(descriptor) }
        var successes = 0
        // The first that succeeds needs more than the others.
        for round in 0..<40 {
          close(held.removeLast())
          do {
            let status = try await shell("exit 3").runFuture().inTime.terminationStatus
            #expect(status == 3)
            successes += 1
          } catch {
            #expect(error as? ProcessRunError == .tooFewDescriptors, "with \(round + 1) free")
          }
          #expect(fcntl(0, F_GETFD) >= 0)
        }
        #expect(successes > 0)
        #expect(target(of: 0) == standard)
      }
    }

    @Test func `many launches near the limit succeed or fail clearly`() async {
      await #expect(processExitsWith: .success) {
        await startTimers()
        let standard = target(of: 0)
        setLimit(greatest() + 44)
        let statuses = EventLog<Int32>()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<60 {
            group.addTask {
              do {
                statuses.add(try await shell("sleep 0.05; exit 3").runFuture().inTime.terminationStatus)
              } catch {
                #expect(error as? ProcessRunError == .tooFewDescriptors)
              }
            }
          }
        }
        #expect(!statuses.events.isEmpty)
        #expect(statuses.events.allSatisfy { $0 == 3 })
        #expect(target(of: 0) == standard)
        // Nothing was left open by those that failed.
        let status = try await shell("exit 3").runFuture().inTime.terminationStatus
        #expect(status == 3)
      }
    }

    @Test func `a descriptor above the limit is a clear failure`() async {
      await #expect(processExitsWith: .success) {
        let limit = greatest() + 100
        let high = fcntl(0, F_DUPFD_CLOEXEC, Int32(limit) + 50)
        #expect(high > limit)
        setLimit(limit)
        let error = await #expect(throws: ProcessRunError.self) { try await shell("exit 3").runFuture().inTime }
        #expect(error == .tooFewDescriptors)
        close(high)
        let status = try await shell("exit 3").runFuture().inTime.terminationStatus
        #expect(status == 3)
      }
    }

    @Test func `closed standard streams aren't taken for something else`() async {
      await #expect(processExitsWith: .success) {
        await startTimers()
        for descriptor in [Int32(0), 1, 2] { close(descriptor) }
        let result = try await shell("cat; echo out; echo err >&2; exit 3").runFuture(input: .data(Data("in".utf8)))
          .inTime
        #expect(result.terminationStatus == 3)
        #expect(result.output == "inout\n")
        #expect(result.error == "err\n")
        let unchanged = try await shell("cat; echo lost; exit 4").runFuture(output: .unchanged).inTime
        #expect(unchanged.terminationStatus == 4)
        for descriptor in 0...2 { #expect(target(of: descriptor) == "/dev/null", "\(target(of: descriptor) ?? "")") }
      }
    }

    @Test func `open standard streams remain as they are`() async {
      await #expect(processExitsWith: .success) {
        await startTimers()
        close(1)
        let before = [0, 2].map { target(of: $0) }
        _ = try await shell("exit 0").runFuture().inTime
        #expect([0, 2].map { target(of: $0) } == before)
        #expect(target(of: 1) == "/dev/null", "\(target(of: 1) ?? "")")
      }
    }
  }

  /// Makes Dispatch open the descriptors for its timers, which is not what is tested: with fewer than three left, the
  /// first timer of a program stops it, or never fires.
  private func startTimers() async {
    let future = Future()
    future.cancel(after: .microseconds(1))
    _ = await future.outcome
  }

  private func target(of descriptor: Int) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  /// The greatest descriptor that is open.
  private func greatest() -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return names?.compactMap { Int($0) }.max() ?? 0
  }

  private func setLimit(_ limit: Int) {
    var limit = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    // RLIMIT_NOFILE
    unsafe setrlimit(.init(7), &limit)
  }
#endif
