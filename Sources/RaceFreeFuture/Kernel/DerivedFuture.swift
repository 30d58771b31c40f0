// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A future that is derived from others: its closure makes its resolution from theirs.
///
/// With one source, it is the entry in the source's list, which keeps it, and knows only the memory of the source. With
/// several, it has a link to each.
///
/// - **S1** A stage is an entry in the list of its source. It is at the place where it was registered, and is run in
///   its turn there. Its answer isn't carried out by the stage but by the engine that ran it, when that has nothing
///   else left to do. So a chain of 100,000 stages is resolved by a loop, and torn down by one. (L10)
/// - **S2** The closure runs at most once for a source. The code that removes the source from the target calls it (K3).
/// - **S3** A source that is released cancels its targets. That is in `Future.tearDown`. (L9)
/// - **S4** Nested closures don't exhaust the stack. `Trampoline` has the way. (L10)
///
/// `@unchecked Sendable` as `ChildFuture` is; `answer` and `only` belong to its own lock and, once it is decided, to
/// the thread that delivers it (K3).
@safe
final class DerivedFuture: ChildFuture, @unchecked Sendable {
  /// The closure of a derived future.
  ///
  /// Not a bare closure: see `Locked`.
  enum Answer: Sendable {
    /// Passes on the resolution of the source.
    case relay
    /// Returns the resolution of the target; nil if it isn't resolved now. The number is the source's.
    case resolution(@Sendable (Resolution, _ source: Int, _ target: DerivedFuture) -> Resolution?)
    /// Makes the target's box from the source's; every other resolution is passed on unchanged.
    case value(@Sendable (AnyValueBox) throws -> AnyValueBox)

    func callAsFunction(_ resolution: Resolution, _ source: Int, _ target: DerivedFuture) -> Resolution? {
      switch self {
      case .relay: return resolution
      case .resolution(let answer): return answer(resolution, source, target)
      case .value(let transform):
        guard case .delivered(let box) = resolution else { return resolution }
        do {
          return .delivered(try transform(box))
        } catch {
          return .thrown(error)
        }
      }
    }
  }

  /// The context in which the closure runs.
  let context: HandlerPlace.Kind
  /// True if it has only code of this library, which isn't nested.
  let isOwn: Bool
  /// The standing in the list of the only source.
  @safe @exclusivity(unchecked) var standing = Entry.Standing.free
  /// User code may run in it, outside of all locks.
  private(set) var answer: Answer?
  /// The only source, as long as it is among the sources.
  private var only: UnownedReference<Future>?

  /// Creates an unconnected derived future, with its only source or without any.
  init(
    label: String?,
    site: CreationSite,
    from source: Future? = nil,
    on context: HandlerPlace.Kind = .inline,
    isOwn: Bool = true,
    _ answer: consuming Answer
  ) {
    self.context = context
    self.isOwn = isOwn
    if Hooks.isOn(.context), !isOwn { answer = Context.carried(answer) }
    self.answer = answer
    var sources = SourceList(.derivation(nil))
    if let source {
      let only = UnownedReference(source)
      sources = SourceList(.derivation(only.address))
      self.only = consume only
    }
    super.init(label: label, site: site, sources: sources)
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// Takes the closure, for the only source or at the outcome; nothing of it is kept.
  func takeAnswer() -> Answer? {
    only = nil
    return exchange(&answer, with: nil)
  }

  /// Releases the closure and, if it has a single source, makes that drop this future, which is resolved.
  func cut() {
    let (source, answer) = (only?.object, takeAnswer())
    source?.process { $0.detach(self) }
    withExtendedLifetime(answer) {}
  }
}

/// A derived future with one of its sources: a closure decides the effect of the source's outcome.
struct Stage {
  let target: DerivedFuture
  /// The link to the source; nil for the only one.
  let link: Link?

  var runsInline: Bool {
    if case .inline = target.context { true } else { false }
  }

  /// True if there is an answer to an outcome of the source; at the other one the target follows.
  func answers(_ outcome: Future.Outcome) -> Bool { link?.answers(outcome) ?? (outcome == .completed) }

  /// Gets the answer, unless the target no longer needs it.
  func run(_ resolution: Resolution) -> Resolution? {
    target.isOwn ? answer(to: resolution) : Trampoline.run(self, resolution)
  }

  /// Gets the answer, on this thread and now.
  func answer(to resolution: Resolution) -> Resolution? {
    guard let answer = target.process({ $0.takeAnswer(of: self) }) else { return nil }
    return CurrentFuture.runOutside { answer(resolution, link?.number ?? 0, target) }
  }
}

extension Future {
  /// Adds a derived future whose only source this is.
  ///
  /// - Returns: The resolution of the derived one, if there was an answer at once: the caller, which may itself be a
  ///   stage, decides it so.
  func connect(_ derived: DerivedFuture) -> Resolution? {
    guard case .dispatch(let resolution) = process({ $0.add(derived) }) else { return nil }
    if resolution.outcome == .completed { return dispatchLate(Stage(target: derived, link: nil), resolution) }
    derived.decide(resolution.passedOn(by: self), .arriving)
    return nil
  }
}

extension FutureMachine {
  /// Adds a derived future whose only source this is, or returns another effect.
  mutating func add(_ derived: DerivedFuture) -> Addition {
    let addition = add(Entry(derived), Stage(target: derived, link: nil))
    if case .keep = addition { flags.insert(.linkedAtCancellation) }
    return addition
  }

  /// A derived future has dropped this one, its only source.
  mutating func detach(_ derived: DerivedFuture) {
    if derived.standing == .listed || derived.standing == .late { handlers.remove(Entry(derived)) }
  }

  /// The source of a stage has been resolved, and the closure is to be called; nil if the answer is no longer needed.
  mutating func takeAnswer(of stage: Stage) -> DerivedFuture.Answer? {
    guard let link = stage.link else {
      // Later the deliverer has it.
      guard phase == .pending, sources.takeTail() != nil else { return nil }
      return stage.target.takeAnswer()
    }
    let isPending = phase == .pending
    guard removeSource(link), isPending else { return nil }
    if case .relay = link.rule { return .relay }
    return stage.target.answer
  }

  /// Handles the cancellation of a future that was derived from this one.
  mutating func arrive(_ cancellation: Resolution, fromDerived derived: ObjectIdentifier?) -> Effect {
    if phase == .marking { return .join }
    return phase == .pending ? resolve(cancellation, by: derived) : .none
  }
}

extension Context {
  /// Wraps the closure of a derived future to run in the context of the running code.
  @inline(never)
  static func carried(_ answer: DerivedFuture.Answer) -> DerivedFuture.Answer {
    guard let scope = captured() else { return answer }
    return .resolution { resolution, source, target in
      var result: Resolution?
      run(in: scope) { result = answer(resolution, source, target) }
      return result
    }
  }
}
