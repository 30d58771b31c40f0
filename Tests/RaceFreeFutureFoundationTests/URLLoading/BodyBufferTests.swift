// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct `Buffers of bodies` {
  @Test(arguments: [false, true])
  func `give back all bytes in order, however they come and go`(isSpilling: Bool) throws {
    var random = SeededGenerator(seed: testSeed)
    for _ in 0..<iterations(20) {
      var buffer = BodyBuffer(memoryLimit: 1000, spilling: isSpilling, segmentSize: 2000)
      var (written, read, most) = (Data(), Data(), 0)
      for step in 0..<200 {
        if Bool.random(using: &random) {
          let data = Data(repeating: UInt8(truncatingIfNeeded: step), count: Int.random(in: 0...900, using: &random))
          written += data
          try buffer.append(data)
        } else if let piece = try buffer.removeFirst() {
          #expect(!piece.isEmpty)
          read += piece
        } else {
          #expect(read.count == written.count)
        }
        #expect(buffer.isEmpty == (read.count == written.count))
        #expect(buffer.bytesInMemory + buffer.bytesInFiles == written.count - read.count)
        most = max(most, buffer.bytesInFiles)
        #expect(buffer.sizeOfFiles <= buffer.bytesInFiles + max(2000, most / 2) + 900)
        if isSpilling { #expect(buffer.bytesInMemory < 1000 + 900) } else { #expect(buffer.bytesInFiles == 0) }
      }
      while let piece = try buffer.removeFirst() { read += piece }
      #expect(read == written, "seed \(testSeed)")
      #expect(buffer.isEmpty)
    }
  }

  @Test func `keep a body of any length in a file, with the limit in memory`() throws {
    var buffer = BodyBuffer(memoryLimit: 100_000, spilling: true)
    let piece = body(of: 16_384)
    for _ in 0..<640 { try buffer.append(piece) }
    #expect(buffer.isFull)
    #expect(buffer.bytesInMemory < 100_000 + piece.count)
    #expect(buffer.bytesInMemory + buffer.bytesInFiles == 640 * piece.count)
    var read = Data()
    while let piece = try buffer.removeFirst() {
      #expect(piece.count <= 65_536)
      read += piece
    }
    #expect(read == (0..<640).reduce(into: Data()) { all, _ in all += piece })
    // Everything is read, so memory is used again.
    try buffer.append(piece)
    #expect(buffer.bytesInFiles == 0)
  }

  @Test func `need no more room than for what is unread, however long the body`() throws {
    var buffer = BodyBuffer(memoryLimit: 10, spilling: true, segmentSize: 100)
    for number in 0..<1000 {
      try buffer.append(Data("0123456789".utf8))
      // The reader is always ten pieces behind.
      if number >= 10 { #expect(try buffer.removeFirst() != nil) }
      #expect(buffer.sizeOfFiles <= buffer.bytesInFiles + 110)
    }
  }

  @Test func `need few files, however much is unread`() throws {
    var buffer = BodyBuffer(memoryLimit: 10, spilling: true, segmentSize: 100)
    for _ in 0..<10_000 { try buffer.append(Data("0123456789".utf8)) }
    // Each is as long as all that were before.
    #expect(buffer.fileCount <= 11)
    // A reader that remains behind: the long ones go.
    for _ in 0..<30_000 {
      try buffer.append(Data("0123456789".utf8))
      while buffer.bytesInFiles > 10_000 { #expect(try buffer.removeFirst() != nil) }
    }
    #expect(buffer.fileCount <= 4)
    #expect(buffer.sizeOfFiles <= 70_000)
  }

  @Test func `put small pieces together`() throws {
    var buffer = BodyBuffer(memoryLimit: 1_000_000, spilling: true)
    for _ in 0..<100_000 { try buffer.append(Data("x".utf8)) }
    var count = 0
    while try buffer.removeFirst() != nil { count += 1 }
    #expect(count == 2)
  }
}
