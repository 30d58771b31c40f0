// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An actor's thread: its code for a place of a batch, and the thread of its task, if the actor may wait to be resumed.
struct RaceActor: Sendable {
  let act: @Sendable (Int) -> Void
  var thread: TaskThread?
}

/// The code of an actor, for a thread or for a task.
///
/// It becomes an actor when it has columns: it takes its subject from one and puts its answer into another.
struct ActorCode<Subject: Sendable, Answer: Sendable>: Sendable {
  let actor: @Sendable (_ subjects: Column<Subject>, _ answers: Column<Result<Answer, any Error>>) -> RaceActor

  /// Creates the code of a thread.
  static func thread(_ code: @escaping @Sendable (Subject) throws -> Answer) -> ActorCode {
    ActorCode { subjects, answers in
      RaceActor { place in
        let subject = subjects[place]
        answers.put(Result { try code(subject) }, at: place)
      }
    }
  }

  /// Creates the code of a task, which gets a thread of its own.
  static func task(_ code: @escaping @Sendable (Subject) async throws -> Answer) -> ActorCode {
    ActorCode { subjects, answers in
      let thread = TaskThread()
      return RaceActor(
        act: { place in
          thread.run {
            do {
              answers.put(.success(try await code(subjects[place])), at: place)
            } catch {
              answers.put(.failure(error), at: place)
            }
          }
        },
        thread: thread
      )
    }
  }
}

/// Runs a race of actors with answers of different types.
func runRace<Subject: Sendable, First: Sendable, Second: Sendable, each Other: Sendable, Outcome>(
  _ settings: RaceSettings,
  make: @escaping @Sendable () -> Subject,
  _ first: ActorCode<Subject, First>,
  _ second: ActorCode<Subject, Second>,
  _ others: repeat ActorCode<Subject, each Other>,
  outcome: @escaping @Sendable (Subject, First, Second, repeat each Other) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>]
) async -> RaceReport<Outcome> {
  let places = RaceRun<Outcome>.mostPlaces
  let subjects = Column<Subject>(capacity: places)
  let firsts = Column<Result<First, any Error>>(capacity: places)
  let seconds = Column<Result<Second, any Error>>(capacity: places)
  let rests = (repeat Column<Result<each Other, any Error>>(capacity: places))

  var actors = [first.actor(subjects, firsts), second.actor(subjects, seconds)]
  repeat actors.append(actor(each others, subjects, each rests))

  return await runRace(
    settings,
    make: { subjects.put(make(), at: $0) },
    actors: actors,
    outcome: { place in
      let subject = subjects.take(at: place)
      let (first, second) = (firsts.take(at: place), seconds.take(at: place))
      let rest = (repeat taken(from: each rests, at: place))
      var errors = [first.thrown, second.thrown]
      repeat errors.append(thrown(each rest))
      return RoundEnd(errors) {
        outcome(subject, try value(first), try value(second), repeat try value(each rest))
      }
    },
    expect: expected
  )
}

/// Runs a race of a number of identical actors.
func runRace<Subject: Sendable, Answer: Sendable, Outcome>(
  _ settings: RaceSettings,
  make: @escaping @Sendable () -> Subject,
  count: Int,
  _ code: (_ number: Int) -> ActorCode<Subject, Answer>,
  outcome: @escaping @Sendable (Subject, [Answer]) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>]
) async -> RaceReport<Outcome> {
  precondition(count > 1, "a race needs two actors")
  let places = RaceRun<Outcome>.mostPlaces
  let subjects = Column<Subject>(capacity: places)
  let answers = (0..<count).map { _ in Column<Result<Answer, any Error>>(capacity: places) }
  return await runRace(
    settings,
    make: { subjects.put(make(), at: $0) },
    actors: answers.enumerated().map { number, column in code(number).actor(subjects, column) },
    outcome: { place in
      let subject = subjects.take(at: place)
      let results = answers.map { $0.take(at: place) }
      return RoundEnd(results.map(\.thrown)) { outcome(subject, try results.map { try $0.get() }) }
    },
    expect: expected
  )
}

// Not methods called in a pack expansion: the compiler crashes on that.

private func actor<Subject, Answer>(
  _ code: ActorCode<Subject, Answer>,
  _ subjects: Column<Subject>,
  _ answers: Column<Result<Answer, any Error>>
) -> RaceActor {
  code.actor(subjects, answers)
}

private func taken<Element>(from column: Column<Element>, at place: Int) -> Element { column.take(at: place) }

private func thrown<Answer>(_ result: Result<Answer, any Error>) -> (any Error)? { result.thrown }

private func value<Answer>(_ result: Result<Answer, any Error>) throws -> Answer { try result.get() }
