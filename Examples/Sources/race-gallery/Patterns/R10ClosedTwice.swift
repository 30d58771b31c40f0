// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture

/// A descriptor is closed twice, and the second time it belongs to other code.
enum R10ClosedTwice {
  static let pattern = Pattern(
    id: "R10",
    title: "Descriptor closed twice",
    published: ["madeye/BaoLianDeng#44", "pointfreeco/swift-sharing#172", "swiftlang/swift-subprocess#86"],
    rounds: 500,
    naive: { await strangerIsClosed { Naive($0) } },
    ours: { await strangerIsClosed { Ours($0) } }
  )

  private protocol Relay: AnyObject, Sendable {
    func cancel()
  }

  // Wrong on purpose; here one thread uses it.
  private final class Naive: Relay, @unchecked Sendable {
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setCancelHandler { close(descriptor) }
      source.resume()
      self.source = source
    }

    func cancel() {
      if let source {
        source.cancel()  // closes it a little later
        self.source = nil
      } else {
        close(descriptor)  // closes it, whatever it is by now
      }
    }

    deinit { cancel() }
  }

  private final class Ours: Relay {
    private let life = Future(label: "relay")

    init(_ descriptor: Int32) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setCancelHandler { close(descriptor) }
      life.attach(source)  // cancelled at the outcome, once
    }

    func cancel() { life.cancel() }

    deinit { cancel() }
  }

  /// Runs a round: the relay is cancelled and then released, while other code opens a file.
  private static func strangerIsClosed(_ make: (Int32) -> any Relay) async -> Bool {
    let pipe = Pipe()
    var relay: (any Relay)? = make(dup(pipe.fileHandleForReading.fileDescriptor))
    relay?.cancel()
    relay = nil
    let stranger = unsafe open("/dev/null", O_WRONLY)  // the path is copied
    try? await Task.sleep(for: .microseconds(500))
    let isClosed = unsafe write(stranger, "x", 1) < 0  // reads one byte of the literal
    if !isClosed { close(stranger) }
    return isClosed
  }
}
