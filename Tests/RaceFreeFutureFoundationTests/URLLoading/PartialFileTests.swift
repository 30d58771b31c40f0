// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct `Partial files` {
  private let folder: TemporaryFolder
  private var destination: URL { folder.file("file") }

  init() throws { folder = try TemporaryFolder() }

  private func makeFile(replacing: Bool = false) throws -> PartialFile {
    let file = PartialFile(for: destination, replacing: replacing)
    try file.create()
    try file.write(Data("body".utf8))
    return file
  }

  @Test(arguments: [true, false])
  func `that are kept are there, whatever comes after`(replacing: Bool) throws {
    let file = try makeFile(replacing: replacing)
    #expect(folder.contents.count == 1)
    try file.keep()
    file.discard()
    try file.write(Data("more".utf8))
    #expect(folder.contents == ["file"])
    #expect(try String(contentsOf: destination, encoding: .utf8) == "body")
    #expect(throws: CocoaError.self) { try file.keep() }
    #expect(folder.contents == ["file"])
  }

  @Test(arguments: [true, false])
  func `that have been discarded can't be kept`(replacing: Bool) throws {
    let file = try makeFile(replacing: replacing)
    file.discard()
    #expect(folder.contents == [])
    let error = #expect(throws: CocoaError.self) { try file.keep() }
    #expect(error?.code == .fileNoSuchFile)
    try file.write(Data("more".utf8))
    file.discard()
    #expect(folder.contents == [])
  }

  @Test func `that were never made can't be kept`() {
    #expect(throws: CocoaError.self) { try PartialFile(for: destination, replacing: false).keep() }
    #expect(folder.contents == [])
  }

  @Test func `that can't get their name are gone`() throws {
    let file = try makeFile()
    try Data("other".utf8).write(to: destination)
    let error = #expect(throws: CocoaError.self) { try file.keep() }
    #expect(error?.code == .fileWriteFileExists)
    #expect(systemCode(error) == EEXIST)
    #expect(folder.contents == ["file"])
    #expect(try String(contentsOf: destination, encoding: .utf8) == "other")
  }

  @Test(arguments: ["nothing", "a file", "a link", "a link to it"], [true, false])
  func `that other code has replaced are a failure`(other: String, replacing: Bool) throws {
    let file = try makeFile(replacing: replacing)
    let hidden = folder.file(try #require(folder.contents.first))
    let elsewhere = try TemporaryFolder()
    try FileManager.default.moveItem(at: hidden, to: elsewhere.file("moved"))
    switch other {
    case "nothing": break
    case "a file": try Data("other".utf8).write(to: hidden)
    case "a link": try FileManager.default.createSymbolicLink(atPath: hidden.path, withDestinationPath: "/etc/passwd")
    default: try FileManager.default.createSymbolicLink(at: hidden, withDestinationURL: elsewhere.file("moved"))
    }
    let error = #expect(throws: CocoaError.self) { try file.keep() }
    #expect(error?.code == .fileNoSuchFile)
    #expect(folder.contents == [])
    #expect(elsewhere.contents == ["moved"])
  }

  @Test func `start over when they are emptied`() throws {
    let file = try makeFile()
    try file.truncate(to: 0)
    try file.write(Data("new".utf8))
    try file.keep()
    #expect(try String(contentsOf: destination, encoding: .utf8) == "new")
  }

  @Test func `that nobody holds any more are discarded`() throws {
    do { _ = try makeFile() }
    #expect(folder.contents == [])
  }
}

@Suite struct `Parts of files` {
  private let folder: TemporaryFolder
  private var part: URL { folder.file(".file.part") }
  private var record: URL { folder.file(".file.part.record") }

  init() throws { folder = try TemporaryFolder() }

  private func makePart(step: Int64 = 1 << 22) -> PartialFile {
    PartialFile(for: folder.file("file"), replacing: false, keepingPart: true, step: step)
  }

  /// What the record says of the part: the numbers of certain bytes.
  private func recorded() throws -> [String] {
    try String(contentsOf: record, encoding: .utf8).split(separator: "\n").dropFirst(2).map(String.init)
  }

  private func leave(_ count: Int) throws {
    let file = makePart()
    try file.create()
    try file.startOver(Data("a body".utf8))
    try file.write(body(of: count))
    file.discard()
    #expect(folder.contents == [".file.part", ".file.part.record"])
  }

  @Test func `are saved after as many bytes as are said, and at the end`() throws {
    let file = makePart(step: 10)
    try file.create()
    try file.startOver(Data("a body".utf8))
    for _ in 0..<4 { try file.write(Data(count: 7)) }
    #expect(try recorded() == ["14", "28"])
    try file.write(Data(count: 7))
    try file.truncate(to: 20)
    #expect(try recorded() == ["14", "28", "20"])
    try file.write(Data(count: 1))
    file.discard()
    #expect(try recorded() == ["14", "28", "20", "21"])
    let found = try makePart().create()
    #expect(found?.body == Data("a body".utf8) && found?.count == 21)
  }

  @Test func `aren't those of another body`() throws {
    let file = makePart(step: 10)
    try file.create()
    try file.startOver(Data("a body".utf8))
    try file.write(Data(count: 20))
    try file.startOver(Data("another".utf8))
    #expect(try recorded() == [])
    // As if it was killed here, with bytes that aren't certain.
    try file.write(Data(count: 7))
    #expect(try recorded() == [])
    try file.write(Data(count: 7))
    file.discard()
    let found = try makePart().create()
    #expect(found?.body == Data("another".utf8) && found?.count == 14)
  }

  /// As if the program had been killed in the middle of writing the record.
  @Test func `aren't continued if their record isn't whole`() throws {
    try leave(1000)
    for count in 0..<(try Data(contentsOf: record).count) {
      try leave(1000)
      let text = try Data(contentsOf: record)
      try text.prefix(min(count, text.count - 1)).write(to: record)
      let file = makePart()
      #expect(try file.create()?.count == nil, "\(count)")
      #expect(try Data(contentsOf: part).isEmpty)
      file.discard()
      #expect(folder.contents == [])
    }
  }

  #if os(Linux)
    /// A child process that is being started has such copies until its program begins.
    @Test func `have no owner once they are left, although a copy of the descriptor is open`() throws {
      let file = makePart()
      try file.create()
      try file.startOver(Data("a body".utf8))
      try file.write(body(of: 1000))
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
      let own = try #require(
        descriptors.first {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == record.path
        }
      )
      let copy = dup(own)
      defer { close(copy) }
      file.discard()
      let next = makePart()
      #expect(try next.create()?.count == 1000)
      next.discard()
    }
  #endif

  @Test func `that are complete leave no record`() throws {
    try leave(1000)
    let file = makePart()
    #expect(try file.create()?.count == 1000)
    try file.write(Data("end".utf8))
    try file.keep()
    #expect(folder.contents == ["file"])
    #expect(try Data(contentsOf: folder.file("file")) == body(of: 1000) + Data("end".utf8))
  }

  /// The record of a part that got its name before its program was killed.
  @Test func `aren't found by the record of another file`() throws {
    try leave(1000)
    try FileManager.default.moveItem(at: part, to: folder.file("file"))
    let file = PartialFile(for: folder.file("file"), replacing: true, keepingPart: true)
    #expect(try file.create()?.count == nil)
    #expect(try Data(contentsOf: record).isEmpty)
    file.discard()
    #expect(try Data(contentsOf: folder.file("file")) == body(of: 1000))
  }
}

@Suite struct `Names that nobody has` {
  private let folder: TemporaryFolder
  private var old: URL { folder.file("old") }
  private var new: URL { folder.file("new") }

  init() throws {
    folder = try TemporaryFolder()
    try Data("body".utf8).write(to: old)
  }

  /// The ways that there are, and some that file systems refuse before.
  private static let ways: [[RenamingWay]] =
    [renamingWays] + renamingWays.map { [$0] }
    + [EPERM, EACCES, ENOTSUP, ENOSYS, EINVAL].flatMap { code in
      let refusal: RenamingWay = { _, _ in code }
      return [[refusal] + renamingWays.suffix(1), [refusal, refusal] + renamingWays.suffix(1)]
    }

  @Test(arguments: ways.indices)
  func `are given`(index: Int) throws {
    #expect(renameExclusively(old.path, to: new.path, by: Self.ways[index]) == 0)
    #expect(folder.contents == ["new"])
    #expect(try String(contentsOf: new, encoding: .utf8) == "body")
  }

  @Test(arguments: ways.indices, ["a file", "a folder", "a link that leads nowhere"])
  func `are never taken from`(index: Int, other: String) throws {
    switch other {
    case "a file": try Data("other".utf8).write(to: new)
    case "a folder": try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
    default: try FileManager.default.createSymbolicLink(atPath: new.path, withDestinationPath: "nowhere")
    }
    #expect(renameExclusively(old.path, to: new.path, by: Self.ways[index]) == EEXIST)
    #expect(folder.contents == ["new", "old"])
    if other == "a file" { #expect(try String(contentsOf: new, encoding: .utf8) == "other") }
  }

  @Test(arguments: ways.indices)
  func `aren't given to what isn't there`(index: Int) throws {
    try FileManager.default.removeItem(at: old)
    #expect(renameExclusively(old.path, to: new.path, by: Self.ways[index]) == ENOENT)
    #expect(folder.contents == [])
  }

  @Test func `stay free if every way is refused`() {
    #expect(renameExclusively(old.path, to: new.path, by: [{ _, _ in ENOTSUP }, { _, _ in EPERM }]) == EPERM)
    #expect(renameExclusively(old.path, to: new.path, by: []) == ENOTSUP)
    #expect(folder.contents == ["old"])
  }

  @Test func `are given to one of many`() async throws {
    for way in renamingWays {
      for round in 0..<iterations(50) {
        let files = try (0..<4).map { number in
          let file = folder.file("\(round)-\(number)")
          try Data("\(number)".utf8).write(to: file)
          return file
        }
        let winners = EventLog<Int32>()
        await onThreads(
          files.map { file in { winners.add(renameExclusively(file.path, to: self.new.path, by: [way])) } }
        )
        #expect(winners.events.sorted() == [0, EEXIST, EEXIST, EEXIST])
        #expect(folder.contents.count == 5)
        for name in folder.contents where name != "old" { try FileManager.default.removeItem(at: folder.file(name)) }
      }
    }
  }
}
