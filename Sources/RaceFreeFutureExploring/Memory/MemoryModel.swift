// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The memory model of one order, which determines the stores that threads may see: release and acquire by views, with
/// the delays and reorderings that a machine may cause.
///
/// A location keeps all its values in the order in which they were stored (the *modification order* of C11, which here
/// is the order of the steps). A thread has a *view*: for each location the oldest value that it may still read,
/// because it knows of no newer one. A load may return any value from there on, so a store may reach another thread
/// late, and two stores in either order. A releasing store publishes the view of its thread with the value, and an
/// acquiring load of that value adds it to the view of its own thread.
///
/// 1. **Coherence**: a thread that has read or stored a value reads no older one of this location.
/// 2. **Happens before**: a thread that acquires a release reads nothing older than what the releasing thread knew.
///    Updates continue the release that they read (*release sequences*); fences make relaxed accesses release or
///    acquire.
/// 3. **Updates** (exchange, add, a successful compare) read the newest value.
/// 4. **Sequential consistency**: such an access sees what such accesses before it have read or stored at this
///    location; a fence also sees what the threads of earlier fences knew.
/// 5. **A store is eventually seen**: a thread that reads the same old value repeatedly reads a newer one the third
///    time.
///
/// Not simulated: loads that return values stored later in the order (*load buffering*), values out of thin air, stores
/// that take a place in the modification order before those of earlier steps (*2+2W*), and sequentially consistent accesses
/// in another order than that of the steps, which C++20 allows if weaker accesses connect them (*Z6.U*: Lahav and others,
/// 2017, "Repairing sequential consistency in C/C++11"). Everything that it shows may
/// happen in C11.
///
/// Pure: a value that runs no code.
struct MemoryModel {
  /// The value of an atomic, in bits.
  typealias Bits = UInt128

  /// The orderings of all kinds of accesses.
  enum Ordering: Equatable, Sendable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self != .relaxed && self != .releasing }
    var releases: Bool { self != .relaxed && self != .acquiring }
    var isSequential: Bool { self == .sequentiallyConsistent }
  }

  /// The knowledge of a thread, or of a released value.
  struct Knowledge: Equatable {
    /// For each location the number of the oldest value that may be read.
    var view: [Int] = []
    /// For each thread the number of its accesses that have happened before.
    var clock: [Int] = []

    mutating func learn(_ other: Knowledge) {
      Self.raise(&view, to: other.view)
      Self.raise(&clock, to: other.clock)
    }

    static func raise(_ numbers: inout [Int], to others: [Int]) {
      for (index, other) in others.enumerated() { raise(&numbers, at: index, to: other) }
    }

    static func raise(_ numbers: inout [Int], at index: Int, to number: Int) {
      while numbers.count <= index { numbers.append(0) }
      numbers[index] = max(numbers[index], number)
    }
  }

  /// An access of a thread, for queries about what it happened before.
  struct Moment: Equatable {
    let thread: Int
    fileprivate let time: Int
  }

  private struct Message {
    let bits: Bits
    /// The knowledge that an acquiring load of it gets.
    let released: Knowledge
  }

  private struct Thread {
    var now = Knowledge()
    /// The knowledge that its next acquiring fence will add.
    var beforeAcquire = Knowledge()
    /// The knowledge at its last releasing fence.
    var atRelease = Knowledge()
    /// For each location the value that it read last, and the number of reads while there was a newer one.
    var staleReads: [Int: (message: Int, count: Int)] = [:]
  }

  /// The number of times that a thread may read the same old value.
  static let mostStaleReads = 2

  private var threads = [Thread()]
  private var locations: [[Message]] = []
  /// For each location the newest value that a sequentially consistent access has read or stored, or that a thread knew at
  /// such a fence.
  private var sequentialView: [Int] = []

  // MARK: Threads

  /// Adds a thread that knows what another one does, and returns its number.
  ///
  /// Thread 0 exists from the beginning.
  mutating func addThread(by creator: Int) -> Int {
    var thread = Thread()
    thread.now = release(by: creator)
    threads.append(thread)
    return threads.count - 1
  }

  /// Returns the knowledge that others get from a thread when it releases a lock, signals, or ends.
  mutating func release(by thread: Int) -> Knowledge {
    tick(thread)
    return threads[thread].now
  }

  /// Adds released knowledge to that of a thread, which acquires a lock, or was signalled.
  mutating func acquire(_ knowledge: Knowledge, by thread: Int) {
    threads[thread].now.learn(knowledge)
    tick(thread)
  }

  /// Returns the current access of a thread.
  func moment(of thread: Int) -> Moment {
    Moment(thread: thread, time: threads[thread].now.clock.count > thread ? threads[thread].now.clock[thread] : 0)
  }

  /// Returns true if an access is known to have happened before the thread's current one.
  func knows(_ moment: Moment, _ thread: Int) -> Bool {
    let clock = threads[thread].now.clock
    return thread == moment.thread || (clock.count > moment.thread ? clock[moment.thread] : 0) >= moment.time
  }

  /// Counts an access.
  mutating func tick(_ thread: Int) {
    Knowledge.raise(&threads[thread].now.clock, at: thread, to: moment(of: thread).time + 1)
  }

  // MARK: Locations

  /// Adds a location with its first value, which all threads can read; returns its number.
  mutating func addLocation(_ bits: Bits, by thread: Int) -> Int {
    tick(thread)
    locations.append([Message(bits: bits, released: threads[thread].now)])
    return locations.count - 1
  }

  /// Returns the number of values that a load may return: age 0 is the newest one, 1 the one before, and so on; and false
  /// if it could return others as well, but has done so too often.
  func readable(_ location: Int, by thread: Int, _ ordering: Ordering) -> (count: Int, isAll: Bool) {
    let newest = locations[location].count - 1
    var oldest = number(threads[thread].now.view, location)
    if ordering.isSequential { oldest = max(oldest, number(sequentialView, location)) }
    let all = newest - min(oldest, newest) + 1
    if let stale = threads[thread].staleReads[location], stale.count >= Self.mostStaleReads {
      oldest = max(oldest, stale.message + 1)
    }
    let count = newest - min(oldest, newest) + 1
    return (count, count == all)
  }

  /// Returns a value that a load may return; age 0 is the newest.
  func value(_ location: Int, age: Int = 0) -> Bits {
    let messages = locations[location]
    return messages[messages.count - 1 - age].bits
  }

  /// Returns true if a sequentially consistent load of a value tells such accesses nothing new.
  func isInSequence(_ location: Int, age: Int) -> Bool {
    number(sequentialView, location) >= locations[location].count - 1 - age
  }

  private func number(_ view: [Int], _ location: Int) -> Int { location < view.count ? view[location] : 0 }

  // MARK: Accesses

  /// Loads a value of this age, which must be readable.
  mutating func load(_ location: Int, age: Int = 0, by thread: Int, _ ordering: Ordering) -> Bits {
    tick(thread)
    let newest = locations[location].count - 1
    let message = newest - age
    let stale = threads[thread].staleReads[location]
    let isAgain = stale?.message == message
    threads[thread].staleReads[location] = age == 0 ? nil : (message, isAgain ? (stale?.count ?? 0) + 1 : 1)
    return read(location, message, by: thread, ordering)
  }

  /// Stores a value.
  mutating func store(_ bits: Bits, _ location: Int, by thread: Int, _ ordering: Ordering) {
    tick(thread)
    write(bits, location, by: thread, ordering, after: nil)
  }

  /// Replaces the newest value, and returns it.
  mutating func update(
    _ location: Int,
    by thread: Int,
    _ ordering: Ordering,
    _ change: (Bits) -> Bits
  ) -> Bits {
    tick(thread)
    let newest = locations[location].count - 1
    let old = read(location, newest, by: thread, ordering)
    write(change(old), location, by: thread, ordering, after: locations[location][newest].released)
    return old
  }

  private mutating func read(_ location: Int, _ number: Int, by thread: Int, _ ordering: Ordering) -> Bits {
    let message = locations[location][number]
    see(location, number, by: thread, ordering)
    if ordering.acquires { threads[thread].now.learn(message.released) }
    threads[thread].beforeAcquire.learn(message.released)
    return message.bits
  }

  private mutating func write(
    _ bits: Bits,
    _ location: Int,
    by thread: Int,
    _ ordering: Ordering,
    after earlier: Knowledge?
  ) {
    let number = locations[location].count
    see(location, number, by: thread, ordering)
    threads[thread].staleReads[location] = nil
    var released = ordering.releases ? threads[thread].now : threads[thread].atRelease
    if let earlier { released.learn(earlier) }
    Knowledge.raise(&released.view, at: location, to: number)
    locations[location].append(Message(bits: bits, released: released))
  }

  private mutating func see(_ location: Int, _ number: Int, by thread: Int, _ ordering: Ordering) {
    Knowledge.raise(&threads[thread].now.view, at: location, to: number)
    if ordering.isSequential { Knowledge.raise(&sequentialView, at: location, to: number) }
  }

  /// Performs a fence.
  mutating func fence(by thread: Int, _ ordering: Ordering) {
    tick(thread)
    if ordering.acquires { threads[thread].now.learn(threads[thread].beforeAcquire) }
    if ordering.isSequential {
      Knowledge.raise(&threads[thread].now.view, to: sequentialView)
      Knowledge.raise(&sequentialView, to: threads[thread].now.view)
    }
    if ordering.releases { threads[thread].atRelease = threads[thread].now }
  }
}
