// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture

/// A future that was created with a parent, whose cancellation reaches it: it is itself the entry in the parent's list
/// (E3).
///
/// It keeps the parent while it is pending. The turn that cancels the parent lets its list keep the children that still
/// exist, so every walk finds them until the parent is delivered (M7).
///
/// `@unchecked Sendable`: the hook belongs to the parent's lock (E1).
@safe
class ChildFuture: Future, @unchecked Sendable {
  @safe @exclusivity(unchecked) final var hook = Entry.Hook()

  init(label: String?, site: CreationSite, sources: consuming SourceList) {
    super.init(label: label, site: site, sources: sources)
  }

  convenience init(of parent: Future, label: String?, site: CreationSite) {
    self.init(label: label, site: site, sources: SourceList(.parent(parent)))
    // It is new: only a decision that was there before keeps it from being added.
    switch parent.process({ $0.add(self) }) {
    case nil: break
    case let resolution? where resolution.outcome == .cancelled: decide(resolution.passedOn(by: parent), .arriving)
    default: forgetParent()
    }
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// Forgets the parent, which won't be cancelled any more.
  final func forgetParent() {
    let parent = process { $0.sources.takeTail() }
    withExtendedLifetime(parent) {}
  }
}

extension Future {
  /// Drops what a child that is resolved, or at its end, left in the list of its parent.
  func leave(_ parent: Future) {
    // Only a child has a parent.
    parent.process { $0.remove(unsafe unsafeDowncast(self, to: ChildFuture.self)) }
  }
}

extension Unmanaged<ChildFuture> {
  /// Adds a count of a child that was found in the list of its parent, under the lock; false if it is at its end.
  @inline(__always)
  func keep() -> Bool { unsafe rff_tryRetain(toOpaque()) != nil }
}

extension FutureMachine {
  /// Adds a child; or returns the resolution, if there is one.
  mutating func add(_ child: ChildFuture) -> Resolution? {
    guard let resolution else {
      handlers.entries.append(Entry(child))
      flags.insert(.linkedAtCancellation)
      return nil
    }
    return resolution
  }

  /// Removes a child that is resolved or at its end.
  mutating func remove(_ child: ChildFuture) {
    // After a cancellation the list keeps it, and the deliverer lets it go.
    if phase != .held, resolution?.outcome == .cancelled { return }
    if !child.hook.isFree { handlers.entries.remove(Entry(child)) }
  }

  /// Handles the cancellation of the parent, or of the only source, as `arrive` does that along a link.
  mutating func arrive(fromParent cancellation: Resolution, _ parent: ObjectIdentifier? = nil) -> Effect {
    if phase == .marking { return .join }
    guard phase == .pending else { return .none }
    switch sources.tail {
    case .parent?: _ = sources.takeTail()  // The walk keeps it.
    case .derivation?: break  // The deliverer cuts it.
    default: return .none
    }
    return resolve(cancellation, by: parent)
  }
}
