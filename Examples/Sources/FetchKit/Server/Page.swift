// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

/// The server's answer on one path: a status, a body, and the steps of sending it.
public struct Page: Sendable {
  /// One step of sending a body.
  public enum Step: Sendable {
    /// Bytes to send.
    case send(Data)
    /// Waits until a time after the beginning of the body: a pace that a busy machine doesn't slow down.
    case pause(until: Duration)
    /// Completes the future: the server has passed everything before this step to the network.
    case reach(Future)
    /// Continues when the future completes, and never if it doesn't: a stalled server.
    case wait(CancelToken)
    /// Closes the connection, regardless of the promised length.
    case cut
  }

  /// The HTTP status code.
  public var status: Int
  /// The length that the header promises; nil: none (a chunked body).
  public var length: Int?
  /// The steps of sending the body.
  public var steps: [Step]

  /// Makes a page that is sent step by step.
  ///
  /// - Parameters:
  ///   - status: The HTTP status code.
  ///   - length: The length that the header promises; nil: none.
  ///   - steps: The steps of sending the body.
  public init(status: Int = 200, length: Int?, steps: [Step]) {
    self.status = status
    self.length = length
    self.steps = steps
  }

  /// Makes a page that is sent as fast as possible.
  public init(_ body: Data) {
    self.init(length: body.count, steps: [.send(body)])
  }

  /// Makes a page that is sent slowly: small pieces, evenly spread.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - duration: The time that sending them takes.
  public init(_ body: Data, lasting duration: Duration) {
    let pieces = max(1, Int(duration / .milliseconds(50)))
    var steps: [Step] = []
    for piece in 0..<pieces {
      let from = body.count * piece / pieces
      let to = body.count * (piece + 1) / pieces
      steps += [.pause(until: duration * (piece + 1) / pieces), .send(body.subdata(in: from..<to))]
    }
    self.init(length: body.count, steps: steps)
  }
}

extension Data {
  /// Returns bytes that look random and are the same for the same seed, on every machine.
  public static func generated(_ count: Int, seed: UInt64) -> Data {
    var state = seed
    // Repeated, because it is quicker to make; by a prime number, so that no two pieces of a round length are the same.
    let block = Data(
      (0..<Swift.min(count, 65_521)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
    )
    var data = Data(capacity: count)
    while data.count < count { data.append(block.prefix(count - data.count)) }
    return data
  }
}
