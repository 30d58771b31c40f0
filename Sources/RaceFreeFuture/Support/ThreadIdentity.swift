// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture

/// The identity of a thread, used to detect calls to a queue or a handler that the thread is already in.
///
/// An identity may be reused for a later thread. That is harmless here: every use compares a *recorded* identity with
/// the running thread's own, and a record is erased by the thread that made it before that thread continues.
package struct ThreadIdentity: Equatable, Sendable {
  /// Never 0 or an odd number: a thread's identity is the address of its control block.
  let rawValue: UInt

  package static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(rawValue: UInt(pthread_self()))
    #elseif canImport(Android)
      ThreadIdentity(rawValue: UInt(bitPattern: pthread_self()))
    #else
      unsafe ThreadIdentity(rawValue: UInt(bitPattern: pthread_self()))
    #endif
  }
}
