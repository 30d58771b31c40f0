// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import Foundation
import Glibc

extension Defect {
  static var processes: [Defect] {
    [
      Defect(
        name: "grandchild",
        title: "A termination handler waits until grandchildren have ended, too.",
        about: "Processes/Children/ChildProcess.swift",
        known: "[foundation #4795](https://github.com/swiftlang/swift-corelibs-foundation/issues/4795), open",
        look: lookForGrandchild
      ),
      Defect(
        name: "failed-launch",
        title: "A launch that the system refuses leaves descriptors open.",
        about: "Processes/Children/LaunchCheck.swift",
        look: lookAfterFailedLaunches
      ),
      Defect(
        name: "few-descriptors",
        title: "A launch with too few descriptors left closes descriptor 0 of the program, ends it, or hangs.",
        about: "Processes/Children/Descriptors.swift",
        crashes: true,
        look: lookNearTheLimit
      ),
      Defect(
        name: "lowered-limit",
        title: "No launch succeeds while a descriptor is open that isn't below a lowered limit.",
        about: "Processes/Children/Descriptors.swift",
        look: lookAboveTheLimit
      ),
      Defect(
        name: "unreleased-process",
        title: "A `Process` that was launched on a thread without a running run loop is never released.",
        about: "none is possible",
        known:
          "perhaps a part of [foundation #3260](https://github.com/swiftlang/swift-corelibs-foundation/issues/3260), open",
        look: lookForProcess
      ),
    ]
  }
}

/// Makes a process that is ready to be launched, with nothing to read and nothing to print.
func makeProcess(_ path: String, _ arguments: String...) -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  return process
}

/// The open descriptors.
func openDescriptors() -> [Int32] {
  // The listing itself has had one, which is closed by now.
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 }.sorted()
}

private func lookForGrandchild() -> Finding {
  // The grandchild waits for somebody to open this for writing.
  let fifo = FileManager.default.temporaryDirectory.path + "/platform-\(getpid())"
  guard mkfifo(fifo, 0o600) == 0 else { return Finding(.unknown, "no named pipe can be made") }
  defer { unlink(fifo) }
  let process = makeProcess("/bin/sh", "-c", "cat \"$0\" & exit 0", fifo)
  let ended = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in ended.signal() }
  do { try process.run() } catch { return Finding(.unknown, "the launch failed: \(error)") }
  let early = ended.wait(timeout: .now() + .seconds(5)) == .success
  let descriptor = open(fifo, O_WRONLY)
  close(descriptor)
  if early { return Finding(.gone, "the handler ran while the grandchild did") }
  let late = ended.wait(timeout: .now() + .seconds(5)) == .success
  return Finding(.there, "in 5 s the handler didn't run\(late ? ", but at once when the grandchild had ended" : "")")
}

private func lookAfterFailedLaunches() -> Finding {
  // Executable, but neither a binary nor a script.
  let path = FileManager.default.temporaryDirectory.path + "/platform-\(getpid())"
  _ = FileManager.default.createFile(
    atPath: path,
    contents: Data([1, 2, 3, 4]),
    attributes: [.posixPermissions: 0o700]
  )
  defer { unlink(path) }
  func fail() -> Bool {
    do { try makeProcess(path).run() } catch { return true }
    return false
  }
  guard fail() else { return Finding(.unknown, "the launch didn't fail") }
  let before = openDescriptors().count
  for _ in 0..<10 { _ = fail() }
  let leaked = openDescriptors().count - before
  return leaked > 0
    ? Finding(.there, "10 refused launches left \(leaked) descriptors open") : Finding(.gone, "10 left none open")
}

private func lookNearTheLimit() -> Finding {
  var limit = rlimit(rlim_cur: 256, rlim_max: 256)
  setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
  // The first needs more than the others.
  for spare in (0..<40).reversed() {
    var held: [Int32] = []
    while case let copy = dup(1), copy >= 0 { held.append(copy) }
    for _ in 0..<min(spare, held.count) { close(held.removeLast()) }
    let launch = Answer<Bool>()
    let done = DispatchSemaphore(value: 0)
    let process = makeProcess("/bin/true")
    // A new one, with a run loop of its own.
    Thread.detachNewThread {
      launch.value = (try? process.run()) != nil
      done.signal()
    }
    let isOver = done.wait(timeout: .now() + .seconds(5)) == .success
    for descriptor in held { close(descriptor) }
    if !isOver { return Finding(.there, "with \(spare) left the launch didn't return in 5 s") }
    guard launch.value == true else { continue }
    // What notices the exit is another thread.
    for _ in 0..<40 where fcntl(0, F_GETFD) >= 0 { usleep(5_000) }
    if fcntl(0, F_GETFD) < 0 { return Finding(.there, "with \(spare) left the launch succeeded, and 0 was closed") }
  }
  return Finding(.gone, "with 39 to 0 left, 0 stayed open")
}

private func lookAboveTheLimit() -> Finding {
  dup2(1, 500)
  var limit = rlimit(rlim_cur: 400, rlim_max: 1_024)
  setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
  do {
    try makeProcess("/bin/true").run()
    return Finding(.gone, "it was launched")
  } catch {
    return Finding(.there, "400 was the limit, 500 was open: \((error as NSError).localizedDescription)")
  }
}

private func lookForProcess() -> Finding {
  final class Weak { weak var process: Process? }
  // Written on the queue, read when it is done.
  nonisolated(unsafe) let weak = Weak()
  let queue = DispatchQueue(label: "launches")
  let ended = DispatchSemaphore(value: 0)
  queue.async {
    let process = makeProcess("/bin/true")
    process.terminationHandler = { _ in ended.signal() }
    weak.process = process
    if (try? process.run()) == nil { ended.signal() }
  }
  ended.wait()
  // The handler keeps it for as long as it runs.
  for _ in 0..<200 where queue.sync(execute: { weak.process != nil }) { usleep(10_000) }
  return queue.sync { weak.process != nil }
    ? Finding(.there, "2 s after its end it was still alive") : Finding(.gone, "it was released after its end")
}
