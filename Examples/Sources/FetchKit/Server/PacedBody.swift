// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingSocks
import Foundation
import RaceFreeFuture

/// The body of a page as the server pulls it: it performs the steps, one after the other.
struct PacedBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let steps: [Page.Step]
  let visit: Future.Completer

  func makeAsyncIterator() -> Iterator { Iterator(steps: steps[...], visit: visit) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var steps: ArraySlice<Page.Step>
    let visit: Future.Completer
    let begin = ContinuousClock.now

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      while let step = steps.popFirst() {
        switch step {
        case .send(let data) where data.count > count:
          steps.insert(.send(data.dropFirst(count)), at: steps.startIndex)
          return data.prefix(count)
        case .send(let data) where data.isEmpty: continue
        case .send(let data):
          // Ends the visit before the last bytes are sent: a client that has them all is never counted as present.
          if steps.isEmpty { visit.complete() }
          return data
        case .pause(let time): try await Task.sleep(until: begin + time, clock: .continuous)
        case .reach(let future): future.complete()
        case .wait(let token): try await token.value
        case .cut: throw ConnectionCut()
        }
      }
      visit.complete()
      return nil
    }
  }
}

/// An error that cuts a body short; the server then closes the connection.
struct ConnectionCut: Error {}
