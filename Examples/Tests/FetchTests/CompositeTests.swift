// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Testing

@testable import composite

/// The executable `composite`, run as a process of its own.
struct CompositeTests {
  // 33 * 3 bytes a line aren't a multiple of four.
  @Test(arguments: [(33, 20), (40, 1), (1, 1)])
  func `the picture is a valid file of the size that was asked for, the same all three times`(
    width: Int,
    height: Int
  ) async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("picture.bmp")
      let arguments = ["--size", "\(width)x\(height)", "--output", file.path]
      let end = try await Child("composite", arguments, in: folder, columns: 1_000).end()
      #expect(end.status == 0)
      #expect(end.errors == "")
      #expect(end.output.hasPrefix("sky, sun, mountains and sea, \(width)x\(height):\n  one after the other "))
      #expect(end.output.hasSuffix("written to \(file.path)\nthe three pictures are identical\n"))

      let picture = Bitmap(try Data(contentsOf: file))
      #expect(picture.signature == "BM")
      #expect(picture[4, at: 2] == picture.bytes.count)
      #expect(picture[4, at: 10] == 54)
      #expect((picture[4, at: 18], picture[4, at: 22]) == (width, height))
      #expect(picture[2, at: 28] == 24)
      #expect(picture.bytes.count == 54 + (width * 3 + 3) / 4 * 4 * height)
    }
  }

  @Test func `before the picture is there, its file is looked at and not touched`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("examples-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("picture.bmp")
    #expect(canWrite(to: file))
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try Data("a picture".utf8).write(to: file)
    #expect(canWrite(to: file))
    #expect(try Data(contentsOf: file) == Data("a picture".utf8))
    #expect(!canWrite(to: folder))
    #expect(!canWrite(to: file.appendingPathComponent("below")))
    #expect(!canWrite(to: folder.appendingPathComponent("missing/picture.bmp")))
  }

  @Test func `there is a sky above and a darker sea below`() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("picture.bmp")
      let end = try await Child("composite", ["--size", "32x18", "--output", file.path], in: folder).end()
      #expect(end.status == 0)
      let picture = Bitmap(try Data(contentsOf: file))
      // Lines go from the bottom to the top: the second is sea, the twelfth the sky above the mountains.
      let line = 32 * 3
      let brightness = { (number: Int) in
        picture.bytes[54 + number * line..<54 + (number + 1) * line].map(Int.init).reduce(0, +) / line
      }
      #expect(brightness(1) < brightness(11))
      #expect(Set(picture.bytes[54...]).count > 50)
    }
  }

  @Test func `in a pipe, too, each line comes when its picture is there`() async throws {
    try await withFolder { folder in
      // Nobody reads the file, which is larger than a pipe holds: the program is stuck before its end.
      let file = folder.appendingPathComponent("picture").path
      // Safe: the path lives through the call.
      try #require(unsafe mkfifo(file, 0o600) == 0)
      let pipe = try #require(FileHandle(forUpdatingAtPath: file))
      let child = try Child("composite", ["--size", "200x200", "--output", file], in: folder)
      try await eventually("three pictures are told", within: .seconds(600)) {
        child.output.contains("\n  implicit futures ")
      }
      #expect(child.process.isRunning && !child.output.contains("written"))
      let length = 54 + 200 * 200 * 3
      var picture = Data()
      while picture.count < length, let piece = try pipe.read(upToCount: length - picture.count) { picture += piece }
      #expect(try await child.end().output.hasSuffix("\nthe three pictures are identical\n"))
    }
  }

  @Test func `a file is read when it is used, once, and no other is`() async throws {
    try await withFolder { folder in
      let files = folder.appendingPathComponent("files")
      try FileManager.default.createDirectory(
        at: files.appendingPathComponent("not a file"),
        withIntermediateDirectories: true
      )
      for name in ["a", "b", "c"] { try Data("\(name)!\nmore".utf8).write(to: files.appendingPathComponent(name)) }
      let used = try await Child(
        "composite",
        ["--lazy", "--folder", files.path, "--use", "c", "--use", "a", "--use", "c"],
        in: folder,
        columns: 1_000
      ).end()
      #expect(used.status == 0)
      #expect(
        used.output == """
          \(files.path) has 3 files
            reading c
          c has 7 bytes and begins with: c!
            reading a
          a has 7 bytes and begins with: a!
          c has 7 bytes and begins with: c!
          a: was read
          b: was not read
          c: was read

          """
      )
    }
  }

  @Test func `without a folder it makes one, uses its first file, and leaves nothing behind`() async throws {
    try await withFolder { folder in
      let end = try await Child("composite", ["--lazy"], in: folder, columns: 1_000).end()
      #expect(end.status == 0)
      let lines = end.output.split(separator: "\n")
      #expect(lines.filter { $0.hasPrefix("  reading") } == ["  reading mountains.txt"])
      let states = [
        "mountains.txt: was read", "sea.txt: was not read", "sky.txt: was not read", "sun.txt: was not read",
      ]
      #expect(lines.suffix(4).map(String.init) == states)
      let place = try #require(lines.first?.split(separator: " ").first)
      #expect(!FileManager.default.fileExists(atPath: String(place)))
    }
  }

  @Test(
    arguments: [
      (["--size", "0x10"], "--size is width and height: each from 1 to 2048, not 0x10"),
      (["--size", "10x2049"], "--size is width and height: each from 1 to 2048, not 10x2049"),
      (["--size", "-1x10"], "--size is width and height: each from 1 to 2048, not -1x10"),
      (["--size", "10"], "The value '10' is invalid for '--size <WxH>'"),
      (["--size", "10xx10"], "The value '10xx10' is invalid for '--size <WxH>'"),
      (["--output", "/dev/null/x"], "/dev/null/x: cannot write"),
      (["--use", "x"], "--folder and --use are for --lazy"),
      (["--lazy", "--size", "9x9"], "--lazy draws nothing: no --size, no --output"),
      (["--lazy", "--folder", "/dev/null"], "/dev/null: cannot be read as a folder"),
      (["--lazy", "--folder", "/dev", "--use", "nobody"], "there is no file 'nobody' in /dev"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withFolder { folder in
      let end = try await Child("composite", arguments, in: folder).end()
      #expect(end.status == 64)
      #expect(end.output == "")
      #expect(end.errors == "composite: \(message) (see composite --help)\n")
    }
  }
}

/// The bytes of a BMP file.
private struct Bitmap {
  let bytes: [UInt8]

  init(_ data: Data) { bytes = Array(data) }

  var signature: String { String(decoding: bytes.prefix(2), as: UTF8.self) }

  /// The number in so many bytes, the lowest first.
  subscript(count: Int, at offset: Int) -> Int {
    bytes.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
