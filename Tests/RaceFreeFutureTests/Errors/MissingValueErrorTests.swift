// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import TestSupport
import Testing

@Suite struct MissingValueErrorTests {
  private func missing<Value: Sendable>(_ type: Value.Type) -> (any Error)? {
    let future = ValueFuture<Value>()
    future.future.complete()
    return future.result?.error
  }

  @Test func `it says what to do instead`() {
    #expect(missing(Int.self) is MissingValueError)
    #expect((missing(Int.self) as? MissingValueError)?.description.contains("complete(with:)") == true)
  }

  @Test func `all of them are equal`() {
    #expect(missing(Int.self) as? MissingValueError == missing(String?.self) as? MissingValueError)
  }

  @Test func `Void isn't missed`() {
    #expect(missing(Void.self) == nil)
  }

  @Test func `an outcome that another future passed on brings its value if that is of the same type`() {
    let (source, same, other) = (ValueFuture<Int>(), ValueFuture<Int>(), ValueFuture<String>())
    let void = ValueFuture<Void>()
    same.future.passControl(to: source.future)
    other.future.passControl(to: source.future)
    void.future.passControl(to: source.future)
    source.complete(with: 7)
    #expect(same.result?.value == 7)
    #expect(other.result?.error is MissingValueError)
    #expect(void.result?.value != nil)
  }
}
