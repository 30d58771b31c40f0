// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Synchronization

extension Explored.Atomic where Value: FixedWidthInteger {
  /// Adds to the value, and stops the program if the sum is too large.
  ///
  /// - Parameters:
  ///   - operand: The value to add.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update("add \(operand)", ordering) { $0 + operand }
  }

  /// Subtracts from the value, and stops the program if the difference is too small.
  ///
  /// - Parameters:
  ///   - operand: The value to subtract.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func subtract(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("subtract \(operand)", ordering) { $0 - operand }
  }

  /// Adds to the value, without regard to overflow.
  ///
  /// - Parameters:
  ///   - operand: The value to add.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("wrappingAdd \(operand)", ordering) { $0 &+ operand }
  }

  /// Subtracts from the value, without regard to overflow.
  ///
  /// - Parameters:
  ///   - operand: The value to subtract.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func wrappingSubtract(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("wrappingSubtract \(operand)", ordering) { $0 &- operand }
  }

  /// Keeps the bits that are set in both.
  ///
  /// - Parameters:
  ///   - operand: The other bits.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func bitwiseAnd(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("bitwiseAnd \(operand)", ordering) { $0 & operand }
  }

  /// Sets the bits that are set in one of them.
  ///
  /// - Parameters:
  ///   - operand: The other bits.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func bitwiseOr(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("bitwiseOr \(operand)", ordering) { $0 | operand }
  }

  /// Sets the bits that are set in exactly one of them.
  ///
  /// - Parameters:
  ///   - operand: The other bits.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func bitwiseXor(
    _ operand: Value,
    ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update("bitwiseXor \(operand)", ordering) { $0 ^ operand }
  }

  /// Stores the smaller one of the value and another.
  ///
  /// - Parameters:
  ///   - operand: The other value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func min(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update("min \(operand)", ordering) { Swift.min($0, operand) }
  }

  /// Stores the greater one of the value and another.
  ///
  /// - Parameters:
  ///   - operand: The other value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update("max \(operand)", ordering) { Swift.max($0, operand) }
  }
}

extension Explored.Atomic where Value == Bool {
  /// Stores true if both are true, otherwise false.
  ///
  /// - Parameters:
  ///   - operand: The other value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func logicalAnd(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool)
  {
    update("logicalAnd \(operand)", ordering) { $0 && operand }
  }

  /// Stores true if at least one of them is true, otherwise false.
  ///
  /// - Parameters:
  ///   - operand: The other value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func logicalOr(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool) {
    update("logicalOr \(operand)", ordering) { $0 || operand }
  }

  /// Stores true if exactly one of them is true, otherwise false.
  ///
  /// - Parameters:
  ///   - operand: The other value.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after.
  @discardableResult
  public borrowing func logicalXor(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool)
  {
    update("logicalXor \(operand)", ordering) { $0 != operand }
  }
}
