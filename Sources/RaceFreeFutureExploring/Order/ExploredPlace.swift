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

/// The place of the running code: its order, and its thread there.
///
/// A thread has at most one, in a place of its own; threads that belong to no exploration have none.
final class ExploredPlace {
  unowned let run: OrderRun
  private let ownThread: ExploredThread?
  /// The thread that runs the steps of a body.
  let carrier: Carrier?

  private init(_ run: OrderRun, _ thread: ExploredThread?, _ carrier: Carrier?) {
    self.run = run
    ownThread = thread
    self.carrier = carrier
  }

  /// The thread of the scenario, or the step of a body; nil for the thread of the order, for its steps and conditions.
  var thread: ExploredThread? { run.turns.isLooking ? nil : ownThread ?? carrier.map(run.stepThread(on:)) }

  private static let key: pthread_key_t = {
    var key: pthread_key_t = 0
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// The place of the calling thread.
  static var current: ExploredPlace? {
    guard let place = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<ExploredPlace>.fromOpaque(place).takeUnretainedValue()
  }

  /// Makes the calling thread belong to an order from now on; the thread owns its place.
  static func begin(_ run: OrderRun, _ thread: ExploredThread?) { begin(ExploredPlace(run, thread, nil)) }

  static func begin(_ run: OrderRun, _ carrier: Carrier) { begin(ExploredPlace(run, nil, carrier)) }

  private static func begin(_ place: ExploredPlace) {
    unsafe pthread_setspecific(key, Unmanaged.passRetained(place).toOpaque())
  }

  static func end() {
    guard let place = unsafe pthread_getspecific(key) else { return }
    pthread_setspecific(key, nil)
    unsafe Unmanaged<ExploredPlace>.fromOpaque(place).release()
  }
}
