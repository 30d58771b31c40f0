// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A variable that somebody uses without the lock, or a lock that is let go between two uses of it.

extension Kernel {
  static let unguarded: [Kernel] = [
    Kernel("nuke-decoders", "kean/Nuke@2ab8a5a", "a registry is read without its lock") { scene in
      let registry = DecoderRegistry()
      scene.thread("decode") {
        let decoder = scene.isMended ? registry.mendedDecoder() : registry.decoder()
        if decoder == nil { scene.fail("no decoder") }
      }
      scene.thread("plugin") { registry.register("webp") }
    },
    Kernel("sourcekit-lsp-connection", "swiftlang/sourcekit-lsp@3fdaa10", "a handler is set beside the queue") {
      scene in
      let connection = LocalConnection()
      scene.thread("start") { scene.isMended ? connection.mendedStart("server") : connection.start("server") }
      scene.thread("send") {
        let handler = scene.isMended ? connection.mendedSend() : connection.send()
        if let handler, handler != "server" { scene.fail("sent to \(handler)") }
      }
    },
    Kernel("sourcekit-lsp-rename", "swiftlang/sourcekit-lsp@9fcf364", "a local cache in a concurrent map") { scene in
      let (cache, lock) = (Cell([String: Int]()), Box(()))
      @Sendable func type(of url: String) -> Int {
        if let known = cache.value[url] { return known }
        cache.value[url] = url.count
        return url.count
      }
      for url in ["a.swift", "b.c"] {
        scene.thread(url) {
          let type = scene.isMended ? lock.withLock { _ in type(of: url) } : type(of: url)
          if type != url.count { scene.fail("the type of another one") }
        }
      }
    },
    Kernel("tca-3475", "pointfreeco/swift-composable-architecture@8784f76", "a buffer is filled without its lock") {
      scene in
      let buffer = DemandBuffer()
      scene.thread("upstream") { scene.isMended ? buffer.mendedReceive(1) : buffer.receive(1) }
      scene.thread("downstream") { if buffer.demand().count > 1 { scene.fail("too many values") } }
    },
    Kernel("tca-3447", "pointfreeco/swift-composable-architecture@5614943", "demand is tested beside the lock") {
      scene in
      let (relay, received) = (Subscription(), Box(0))
      for name in ["a", "b"] {
        scene.thread(name) {
          if scene.isMended ? relay.mendedReceive() : relay.receive() { received.withLock { $0 += 1 } }
        }
      }
      scene.atEnd { received.value == 1 ? nil : "\(received.value) values for a demand of 1" }
    },
    Kernel("tca-669", "pointfreeco/swift-composable-architecture@65f1fa0", "times of a throttle on two schedulers") {
      scene in
      let (throttle, passed) = (Throttle(), Box(0))
      for name in ["store", "scheduler"] {
        scene.thread(name) {
          if scene.isMended ? throttle.mendedPasses() : throttle.passes() { passed.withLock { $0 += 1 } }
        }
      }
      scene.atEnd { passed.value == 1 ? nil : "\(passed.value) passed in one interval" }
    },
  ]
}

/// A registry of decoders.
///
/// A commit of the documentation removed the lock of the reader.
private final class DecoderRegistry: Sendable {
  private let decoders = Cell(["default"])
  private let lock = Box(())

  func decoder() -> String? { decoders.value.last }
  func mendedDecoder() -> String? { lock.withLock { _ in decoders.value.last } }
  func register(_ name: String) { lock.withLock { _ in decoders.value.append(name) } }
}

/// A connection whose ids are guarded by a queue.
///
/// Its handler isn't.
private final class LocalConnection: Sendable {
  private let handler = Cell(String?.none)
  private let queue = Box(0)

  func start(_ name: String) { handler.value = name }

  func send() -> String? {
    queue.withLock { $0 += 1 }
    return handler.value
  }

  func mendedStart(_ name: String) { queue.withLock { _ in handler.value = name } }

  func mendedSend() -> String? {
    queue.withLock { next in
      next += 1
      return handler.value
    }
  }
}

/// Values that wait for demand.
///
/// What comes from above is appended without the lock that the demand takes.
private final class DemandBuffer: Sendable {
  private let values = Cell([Int]())
  private let lock = Box(())

  func receive(_ value: Int) { values.value.append(value) }
  func mendedReceive(_ value: Int) { lock.withLock { _ in values.value.append(value) } }

  func demand() -> [Int] {
    lock.withLock { _ in
      defer { values.value = [] }
      return values.value
    }
  }
}

/// A subscription that looks at its demand, and takes from it in a second critical section.
private final class Subscription: Sendable {
  private let demand = Box(1)

  func receive() -> Bool {
    guard demand.value > 0 else { return false }
    demand.withLock { $0 -= 1 }
    return true
  }

  func mendedReceive() -> Bool {
    demand.withLock { demand in
      guard demand > 0 else { return false }
      demand -= 1
      return true
    }
  }
}

/// Lets one value pass in an interval.
///
/// The time of the last one is read and written on two schedulers.
private final class Throttle: Sendable {
  private let last = Cell(Int?.none)
  private let lock = Box(())

  func passes() -> Bool {
    if last.value != nil { return false }
    last.value = 1
    return true
  }

  func mendedPasses() -> Bool { lock.withLock { _ in passes() } }
}
