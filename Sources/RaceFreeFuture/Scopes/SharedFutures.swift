// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cache of running work: for each key one computation at a time, which many clients join.
///
/// ```swift
/// let images = SharedFutures<URL, Data>(keeping: 100)
///
/// func image(_ url: URL) -> ValueFuture<Data> {
///   images.join(url) { .task { try await load(url) } }
/// }
/// ```
///
/// Each call of ``join(_:label:fileID:line:_:)`` creates a future of its own, as ``SharedFuture/join(label:)`` does:
/// when the last of them is cancelled or released, the computation is cancelled. Failures and cancellations aren't
/// kept: the next call begins a new computation as soon as the former one has ended. So two computations of a key never
/// run at the same time, also after a cancellation.
///
/// Keys are compared, hashed and released while a lock is held; they should be plain values. A computation that awaits
/// its own key, directly or through other keys, never ends.
public final class SharedFutures<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  /// Guards the computations and the order of the values; what leaves is released outside.
  private let state = Locked(State())

  /// Creates a cache without any work.
  ///
  /// - Parameter limit: The number of values that are kept when their computations have ended, the last joined ones:
  ///   none by default, all with `Int.max`.
  public init(keeping limit: Int = 0) { self.limit = limit }

  /// Creates a future that gets the outcome of the key's computation, which it begins if there is none.
  ///
  /// `work` runs at most once, in a task. Can be called from any thread, and never blocks. A kept value is there at
  /// once. Otherwise this is like ``SharedFuture/join(label:)``: releasing or cancelling the future has the client
  /// leave.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - label: A name of a new computation, for descriptions and errors.
  ///   - work: Starts a new computation and returns its future, not a derived one, which would end earlier. It belongs
  ///     to all clients, so ``CancelToken/current`` is ``CancelToken/never`` in it. Don't block its thread. Throwing is
  ///     a failure, or a cancellation if the error is `CancellationError`.
  /// - Returns: The new future.
  public func join(
    _ key: Key,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () throws -> ValueFuture<Value>
  ) -> ValueFuture<Value> {
    while true {
      let known = state.withLock { $0.find(key) }
      if let known, known.work.isPending || keeps(known), let joiner = known.shared.join() { return joiner }
      let new = Computation<Value>(label, CreationSite(fileID, line))
      // Otherwise another thread was faster.
      guard let places = state.withLock({ $0.replace(known, by: new, for: key) }) else { continue }
      let joiner = new.shared.join()
      new.work.awaitEnd(HandlerNode(role: .awaitsEnd) { [weak self] _ in self?.end(new, key) })
      CurrentFuture.runOutside {
        new.work.startTask(in: places) { [future = new.work] in await future.follow(work) }
      }
      // It can be nil if others have joined and left meanwhile.
      if let joiner { return joiner }
    }
  }

  /// Forgets the value or the running computation of a key: the next client begins a new computation, after the end of
  /// the present one.
  ///
  /// Clients that have joined aren't affected.
  ///
  /// - Parameter key: The key.
  public func remove(_ key: Key) { state.release { $0.remove(key) } }

  /// The number of keys for which there is anything, and the number of running computations.
  var keyCount: Int { state.withLock { $0.slots.count } }
  var openCount: Int { state.withLock { $0.slots.values.reduce(0) { $0 + $1.openCount } } }

  private func keeps(_ computation: Computation<Value>) -> Bool {
    guard limit > 0, case .delivered? = computation.work.resolution else { return false }
    return true
  }

  private func end(_ computation: Computation<Value>, _ key: Key) {
    let limit = keeps(computation) ? limit : 0
    state.release { $0.end(computation, of: key, keeping: limit) }
  }

  private struct State {
    /// What there is for a key.
    struct Slot {
      let places = Places(1)
      /// The latest computation, unless it was removed, or has ended without a value that is kept.
      var latest: Computation<Value>?
      /// The number of computations that haven't ended.
      var openCount = 0
      /// The number in `kept`, if the value is kept.
      var number: Int?
    }

    var slots: [Key: Slot] = [:]
    /// The keys of the values that are kept, in the order of their last use.
    var kept = NumberedQueue<Key>()

    /// Returns the latest computation of a key, and notes the use of its value.
    mutating func find(_ key: Key) -> Computation<Value>? {
      guard let slot = slots[key] else { return nil }
      if let number = slot.number {
        _ = kept.remove(number)
        slots[key]?.number = kept.append(key)
      }
      return slot.latest
    }

    /// Puts in a computation, and returns the place of the key; nil if there is another one than was found.
    mutating func replace(_ old: Computation<Value>?, by new: Computation<Value>, for key: Key) -> Places? {
      var slot = slots[key] ?? Slot()
      guard slot.latest === old else { return nil }
      slot.latest = new
      slot.openCount += 1
      slots[key] = slot
      return slot.places
    }

    /// Notes the end of a computation; returns a computation that isn't kept.
    mutating func end(_ computation: Computation<Value>, of key: Key, keeping limit: Int) -> Computation<Value>? {
      slots[key]?.openCount -= 1
      if slots[key]?.latest === computation, limit > 0 {
        slots[key]?.number = kept.append(key)
        return kept.count > limit ? kept.first.flatMap { remove($0) } : nil
      }
      // Only its own: by now there may be a newer one.
      return slots[key]?.latest === computation || slots[key]?.latest == nil ? remove(key) : nil
    }

    /// Removes the latest computation of a key, and the key when nothing of it runs.
    mutating func remove(_ key: Key) -> Computation<Value>? {
      if let number = slots[key]?.number.take() { _ = kept.remove(number) }
      let latest = slots[key]?.latest.take()
      if slots[key]?.openCount == 0 { _ = slots.take(key) }
      return latest
    }
  }
}

/// One computation for a key.
private final class Computation<Value: Sendable>: Sendable {
  let work: PlacedFuture
  let shared: SharedFuture<Value>

  init(_ label: String?, _ site: CreationSite) {
    work = PlacedFuture(label: label, site: site)
    shared = SharedFuture(ValueFuture(work))
  }
}
