// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// An order that failed, in a file, so that it is run first the next time.
///
/// In the folder that the environment variable `RACEFREEFUTURE_ORDERS` names; without it nothing is kept.
struct KeptOrder {
  static let variable = "RACEFREEFUTURE_ORDERS"

  let path: String

  /// Where the order of an exploration of this name is kept; nil if none is to be.
  init?(of name: String, in folder: String? = environment(Self.variable)) {
    guard let folder, !folder.isEmpty else { return nil }
    let readable = name.map { $0.isLetter || $0.isNumber ? $0 : "-" }.prefix(60)
    // Two names may look the same so far. (FNV-1a, because hash values differ from run to run.)
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    path = "\(folder)/\(String(readable))-\(String(hash, radix: 36)).order"
    _ = unsafe mkdir(folder, 0o777)
  }

  /// The order that is kept; nil if there is none.
  var order: [Int]? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF, byte != 10 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return OrderText.lines(String(decoding: bytes, as: UTF8.self))
  }

  /// Keeps an order and, for people, what is wrong with it.
  func keep(_ order: String, _ name: String, _ failure: String) {
    guard let file = unsafe fopen(path, "w") else { return }
    defer { unsafe fclose(file) }
    unsafe fputs("\(order)\n\(name.onOneLine)\n\(failure.onOneLine)\n", file)
  }

  /// Forgets the order: it doesn't fail any more.
  func forget() { _ = unsafe unlink(path) }
}
