// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// The file with what is left of a search, from which the next run of the program goes on.
///
/// The environment variable `RACEFREEFUTURE_CHECKPOINT` names the folder. A file is read only by the program that wrote
/// it, byte for byte: other code may have other orders.
struct Checkpoint {
  /// The environment variable with the folder.
  static let variable = "RACEFREEFUTURE_CHECKPOINT"

  private let path: String
  /// The least time from one note to the next.
  private let interval: Duration
  private var due: ContinuousClock.Instant

  /// The files of this process; false if two explorations have the same.
  private static let files = Locked<[String: Bool]>([:])

  /// Creates the one of an exploration; nil if there is to be none.
  init?(_ name: String, _ part: SearchPart?, every interval: Duration) {
    guard let folder = environment(Self.variable), !folder.isEmpty else { return nil }
    let ofPart = part.map { "-\($0.number)-of-\($0.count)" } ?? ""
    let path = "\(KeptFailure(folder: folder, name, "explore").path.dropLast(4))\(ofPart).checkpoint"
    (self.path, self.interval, due) = (path, interval, .now + interval)
    let isOnlyOne = Self.files.withLock { files in
      files[path] = files[path] == nil
      return files[path] == true
    }
    if !isOnlyOne {
      remove()
      printToStandardError("RaceFreeFutureTesting: none of the explorations \"\(name)\" goes on in the next run")
      return nil
    }
  }

  var isDue: Bool { ContinuousClock.now >= due }

  /// Notes an archive: in one step, so that a program that is killed meanwhile leaves the one before.
  ///
  /// - Returns: False if it can't be noted.
  mutating func note(_ archive: Archive) -> Bool {
    guard Self.files.withLock({ $0[path] == true }) else { return false }
    let began = ContinuousClock.now
    // Most of the time is for orders.
    defer { due = .now + max(interval, (.now - began) * 20) }
    let numbers = [Self.program] + archive.numbers
    let temporary = path + ".new"
    if let file = unsafe fopen(temporary, "w") {
      // The bytes of the array, which lives until then.
      let count = unsafe numbers.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
      let isWhole = unsafe fclose(file) == 0 && count == numbers.count * MemoryLayout<Int>.size
      if unsafe isWhole && rename(temporary, path) == 0 { return true }
    }
    // Read at once.
    let reason = unsafe String(cString: strerror(errno))
    printToStandardError("RaceFreeFutureTesting: the checkpoint can't be kept in \(path): \(reason)")
    return false
  }

  /// The archive that this program has noted.
  var archive: Archive? {
    var numbers: [Int] = []
    Self.read(path) { numbers += $0 }
    return numbers.first == Self.program ? Archive(reading: Array(numbers.dropFirst())) : nil
  }

  func remove() { unsafe unlink(path) }

  /// A check sum of the program.
  private static let program: Int = {
    #if canImport(Darwin)
      var info = unsafe Dl_info()
      // The image that has this code has the tests that are linked with it. The name is copied at once.
      let path = unsafe dladdr(#dsohandle, &info) == 0 ? "" : String(cString: info.dli_fname)
    #else
      let path = "/proc/self/exe"
    #endif
    var sum = 0
    // Reads as many numbers as there are.
    read(path) { numbers in
      unsafe numbers.withUnsafeBufferPointer { unsafe sum = rff_checkSum(sum, $0.baseAddress, $0.count) }
    }
    return sum
  }()

  /// Reads the numbers of a file, as far as they are whole; none if it can't be read.
  private static func read(_ path: String, _ each: (ArraySlice<Int>) -> Void) {
    guard let file = unsafe fopen(path, "r") else { return }
    defer { unsafe fclose(file) }
    var buffer = [Int](repeating: 0, count: 65_536)
    // Reads no more than the buffer holds.
    while case let count = unsafe fread(&buffer, MemoryLayout<Int>.size, buffer.count, file), count > 0 {
      each(buffer.prefix(count))
    }
  }
}

extension Explorer.Coverage {
  /// Writes the numbers that a search counts, or replaces them by those that were written.
  mutating func pass(through archive: inout Archive) {
    archive.pass(&orders)
    archive.pass(&random)
    var sums = drawn.sorted()
    archive.pass(&sums, of: 0) { $0.pass(&$1) }
    drawn = Set(sums)
    archive.pass(&byPriority)
    archive.pass(&longest)
    archive.pass(&mostLines)
    archive.pass(&redundant)
    archive.pass(&apart, of: 0) { $0.pass(&$1) }
    archive.pass(&hasWays)
    archive.pass(&isFair)
    points.pass(through: &archive)
    archive.pass(&hasLeft)
    archive.pass(&hasChoices)
    var numbers = rules.map(\.rawValue)
    archive.pass(&numbers, of: 0) { $0.pass(&$1) }
    rules = Set(numbers.compactMap(SearchRule.init))
    archive.pass(&departure, of: "") { $0.pass(&$1) }
  }
}
