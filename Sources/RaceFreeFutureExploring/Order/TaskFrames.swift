// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The functions that a task is in, as far as the symbol tables have them.
///
/// Each function that awaits another has a context that refers to its caller's, and to the address where that
/// continues.
extension TaskLayout {
  private static let context = 0x40
  /// Before the context with which a task begins: its closure, and the captured values.
  private static let (closure, captured) = (-24, -16)
  /// In the captured values of a closure that only adapts another one.
  private static let adapted = 24

  /// Returns the functions of a suspended task that don't belong to a library, the innermost first.
  static func functions(of task: UInt) -> [FunctionName] { frames(of: task).compactMap(function).filter(isOfUser) }

  /// Returns the addresses where the functions of a suspended task continue, the innermost first.
  static func frames(of task: UInt) -> [UInt] {
    var addresses = [word(task, resume)]
    var frame = word(task, context)
    while frame != 0, frame % 8 == 0, addresses.count < 64 {
      addresses.append(word(frame, 8))
      frame = word(frame, 0)
    }
    return addresses
  }

  /// Returns the address where the caller's caller of a suspended task's function continues: of `next()`, while it waits
  /// for a child.
  static func callerOfNext(in task: UInt) -> UInt {
    let next = word(task, context)
    let frame = next == 0 || next % 8 != 0 ? 0 : word(next, 0)
    return frame == 0 || frame % 8 != 0 ? 0 : word(frame, 8)
  }

  /// Returns the closure of a task that hasn't begun.
  static func origin(of task: UInt) -> FunctionName? { entry(of: task).flatMap(function).flatMap(ofUser) }

  /// Returns the address of the closure of a task that hasn't begun.
  static func entry(of task: UInt) -> UInt? {
    let frame = word(task, context)
    guard frame % 8 == 0, frame != 0 else { return nil }
    guard let closure = SymbolTable.name(at: word(frame, closure)) else { return nil }
    guard closure.contains("reabstraction thunk") else { return word(frame, Self.closure) }
    // It adapts another closure to the type that a task calls, and has captured that one: its code first.
    let values = word(frame, captured)
    return values == 0 || values % 8 != 0 ? nil : word(values, adapted)
  }

  /// Returns the function that has the code of a body.
  ///
  /// A closure is two words, of which the first points to the distance from there to its code. In a structure it is
  /// stored unchanged; passed to a generic function it would be adapted first.
  static func function(of body: Body) -> FunctionName? {
    function(unsafe unsafeBitCast(body, to: (UInt, UInt).self).0)
  }

  struct Body {
    let run: @Sendable @concurrent (TaskScenario) async throws -> Void
  }

  /// Returns the first of some addresses that belongs to code of the user's.
  static func ofUser(_ addresses: [UInt]) -> UInt? { addresses.first { function($0).map(isOfUser) == true } }

  private static func ofUser(_ name: FunctionName) -> FunctionName? { isOfUser(name) ? name : nil }

  private static func function(_ address: UInt) -> FunctionName? {
    SymbolTable.name(at: address).flatMap { FunctionName($0) }
  }

  /// Returns the first function that fits among those that a suspended task calls where it continues.
  static func nextCall(of task: UInt, where fits: (FunctionName) -> Bool) -> FunctionName? {
    SymbolTable.calls(at: word(task, resume), in: word(task, context)).lazy.compactMap(function).first {
      isOfUser($0) && fits($0)
    }
  }

  static func isOfUser(_ name: FunctionName) -> Bool { isOfUser(module: name.module) }

  static func isOfUser(module: String) -> Bool { !ofLibraries.contains(module) }

  private static let ofLibraries: Set = [
    "Swift", "_Concurrency", "Synchronization", "Dispatch", "Foundation", "RaceFreeFuture",
    "RaceFreeFutureTestingTools", "RaceFreeFutureExploring",
  ]

  /// Returns the name with which a task was made.
  static func name(of task: UInt) -> String? {
    guard var record = Optional(word(task, records)), word(task, status) != 0 else { return nil }
    var left = 16
    while record != 0, left > 0 {
      if word(record, 0) & 0xFF == kindOfName {
        return unsafe UnsafePointer<CChar>(bitPattern: word(record, 0x10)).map { unsafe String(cString: $0) }
      }
      record = word(record, 8)
      left -= 1
    }
    return nil
  }

  private static let kindOfName: UInt = 6
}
