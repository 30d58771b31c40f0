// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Synchronization

extension Explored {
  /// A value that is loaded, stored and updated in single steps, in place of `Synchronization.Atomic`.
  ///
  /// In a thread of a scenario a load may return an older value than the newest, as far as its ordering and those of
  /// the others allow: <doc:ExploringThreads> has the precise rules. Outside of an exploration every access is
  /// sequentially consistent.
  public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
    let core: ExploredAtomic

    /// Creates an atomic.
    ///
    /// - Parameter initialValue: The initial value.
    public init(_ initialValue: consuming Value, fileID: StaticString = #fileID, line: UInt = #line) {
      core = ExploredAtomic(Self.bits(initialValue), { "\(Self.value($0))" }, fileID, line)
    }

    /// Loads the value.
    ///
    /// - Parameter ordering: The memory ordering of the load.
    /// - Returns: The newest value, or an older one if the ordering allows that.
    public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
      Self.value(core.load(MemoryModel.Ordering(ordering)))
    }

    /// Stores a value.
    ///
    /// - Parameters:
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the store.
    public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {
      core.store(Self.bits(desired), MemoryModel.Ordering(ordering))
    }

    /// Replaces the value.
    ///
    /// - Parameters:
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the update.
    /// - Returns: The value before.
    public borrowing func exchange(_ desired: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
      let new = Self.bits(desired)
      return Self.value(core.update("exchange", MemoryModel.Ordering(ordering)) { _ in new })
    }

    /// Replaces the value if it is the expected one.
    ///
    /// - Parameters:
    ///   - expected: The value that is replaced.
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the update.
    /// - Returns: True if the value was replaced, and the original value.
    public borrowing func compareExchange(
      expected: consuming Value,
      desired: consuming Value,
      ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
      let ordering = MemoryModel.Ordering(ordering)
      return compareExchange(Self.bits(expected), Self.bits(desired), ordering, ordering.ofFailure, isWeak: false)
    }

    /// Replaces the value if it is the expected one.
    ///
    /// - Parameters:
    ///   - expected: The value that is replaced.
    ///   - desired: The new value.
    ///   - successOrdering: The memory ordering of a replacement.
    ///   - failureOrdering: The memory ordering of the load if nothing is replaced.
    /// - Returns: True if the value was replaced, and the original value.
    public borrowing func compareExchange(
      expected: consuming Value,
      desired: consuming Value,
      successOrdering: AtomicUpdateOrdering,
      failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
      let orderings = (MemoryModel.Ordering(successOrdering), MemoryModel.Ordering(failureOrdering))
      return compareExchange(Self.bits(expected), Self.bits(desired), orderings.0, orderings.1, isWeak: false)
    }

    /// Replaces the value if it is the expected one; may fail also if it is.
    ///
    /// - Parameters:
    ///   - expected: The value that is replaced.
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the update.
    /// - Returns: True if the value was replaced, and the original value.
    public borrowing func weakCompareExchange(
      expected: consuming Value,
      desired: consuming Value,
      ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
      let ordering = MemoryModel.Ordering(ordering)
      return compareExchange(Self.bits(expected), Self.bits(desired), ordering, ordering.ofFailure, isWeak: true)
    }

    /// Replaces the value if it is the expected one; may fail also if it is.
    ///
    /// - Parameters:
    ///   - expected: The value that is replaced.
    ///   - desired: The new value.
    ///   - successOrdering: The memory ordering of a replacement.
    ///   - failureOrdering: The memory ordering of the load if nothing is replaced.
    /// - Returns: True if the value was replaced, and the original value.
    public borrowing func weakCompareExchange(
      expected: consuming Value,
      desired: consuming Value,
      successOrdering: AtomicUpdateOrdering,
      failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
      let orderings = (MemoryModel.Ordering(successOrdering), MemoryModel.Ordering(failureOrdering))
      return compareExchange(Self.bits(expected), Self.bits(desired), orderings.0, orderings.1, isWeak: true)
    }

    private borrowing func compareExchange(
      _ expected: MemoryModel.Bits,
      _ desired: MemoryModel.Bits,
      _ success: MemoryModel.Ordering,
      _ failure: MemoryModel.Ordering,
      isWeak: Bool
    ) -> (exchanged: Bool, original: Value) {
      let result = core.compareExchange(expected, desired, success, failure, isWeak: isWeak)
      return (result.exchanged, Self.value(result.original))
    }

    /// Updates the value; returns the old and the new one.
    borrowing func update(
      _ name: String,
      _ ordering: AtomicUpdateOrdering,
      _ change: (Value) -> Value
    ) -> (oldValue: Value, newValue: Value) where Value: Copyable {
      var new: MemoryModel.Bits = 0
      let old = core.update(name, MemoryModel.Ordering(ordering)) { bits in
        new = Self.bits(change(Self.value(bits)))
        return new
      }
      return (Self.value(old), Self.value(new))
    }

    // MARK: As bits

    /// The representation of an atomic has at most 16 bytes, and all of them are plain bytes; so each fits, and the
    /// bits of a value are a valid representation.
    static func bits(_ value: consuming Value) -> MemoryModel.Bits {
      var bits: MemoryModel.Bits = 0
      let representation = Value.encodeAtomicRepresentation(value)
      unsafe withUnsafeMutableBytes(of: &bits) { bits in
        unsafe withUnsafeBytes(of: representation) { unsafe bits.copyMemory(from: $0) }
      }
      return bits
    }

    static func value(_ bits: MemoryModel.Bits) -> Value {
      let representation = unsafe withUnsafeBytes(of: bits) {
        unsafe $0.loadUnaligned(as: Value.AtomicRepresentation.self)
      }
      return Value.decodeAtomicRepresentation(representation)
    }
  }
}

extension Explored.Atomic: @unchecked Sendable where Value: Sendable {}

extension MemoryModel.Ordering {
  init(_ ordering: AtomicLoadOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .acquiring: self = .acquiring
    default: self = .sequentiallyConsistent
    }
  }

  init(_ ordering: AtomicStoreOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .releasing: self = .releasing
    default: self = .sequentiallyConsistent
    }
  }

  init(_ ordering: AtomicUpdateOrdering) {
    switch ordering {
    case .relaxed: self = .relaxed
    case .acquiring: self = .acquiring
    case .releasing: self = .releasing
    case .acquiringAndReleasing: self = .acquiringAndReleasing
    default: self = .sequentiallyConsistent
    }
  }

  /// The ordering of the load of an exchange that fails.
  var ofFailure: Self {
    switch self {
    case .relaxed, .releasing: .relaxed
    case .acquiring, .acquiringAndReleasing: .acquiring
    case .sequentiallyConsistent: .sequentiallyConsistent
    }
  }

  var words: String { ".\(self)" }
}
