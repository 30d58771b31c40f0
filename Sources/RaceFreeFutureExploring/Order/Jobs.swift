// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The place where a job is to run.
enum JobPlace {
  case anywhere, mainActor
}

/// A task that has been seen in this order: kept until the order has ended, so that its address stays its own.
///
/// An object, because it is changed in each step; used by the thread of the order only.
final class SeenTask {
  let line: Int
  let object: AnyObject
  let isHelper: Bool
  let kind: Kind
  /// The line of the task whose child it is.
  var parent: Int?
  /// True if it was cancelled, or waited for another one, after an earlier step.
  var (wasCancelled, wasWaiting) = (false, false)
  /// The step in which it ended.
  var end: Int?
  var isCalling = false
  var isSleeping = false
  var hasBegun = false
  /// The number of parts that it ran in: from one point at which others could act to the next.
  var parts = 0
  /// True if one of them was the turn of an actor.
  var wasServed = false
  /// The step in which it acted last, as the diagram counts.
  var lastStep: Int?

  /// The way in which others wait for the end of a task.
  enum Kind {
    case alone
    /// A child whose memory is that of its parent: not to be looked at when it has ended.
    case asyncLet
    /// A child in a group, which keeps the results in the order in which its children end.
    case inGroup
    /// A child in a group that keeps no results: its owner can ask whether all have ended.
    case discarded
  }

  init(line: Int, object: AnyObject, _ kind: Kind = .alone, isHelper: Bool = false) {
    self.line = line
    self.object = object
    self.kind = kind
    self.isHelper = isHelper
  }
}

/// The state of the jobs of an order; used by its own thread only.
struct Jobs {
  /// The executor that its tasks prefer, and that of the main actor, once they are needed.
  var executor: RunExecutor?
  var mainExecutor: RunMainExecutor?
  var tasks: [UInt: SeenTask] = [:]
  /// The tasks in the order in which they were seen.
  var addresses: [UInt] = []
  /// The line of the next new task.
  var nextLine: Int?
  /// The lines of actors.
  var actors: [ObjectIdentifier: ActorLine] = [:]
  /// The lines of executors that aren't controlled, by their identities.
  var executors: [UInt: Int] = [:]
  /// The jobs that have begun to run in this step.
  var begun: [UInt] = []
  /// The lines of the tasks that this step has cancelled, as far as that is noted.
  var cancelled: [Int] = []
  /// The tasks that were assigned their executor here.
  var adopted: [(task: AnyObject, record: TaskLayout.ExecutorRecord)] = []
  var isOnMainActor = false
  /// The job that is queued next goes to an executor of the user's own, in words: unless that is a queue which is driven.
  var leaving: (job: UInt, words: String)?
  /// The jobs that queues of the order have for such executors, with the number of each, and the last number.
  var (awaited, awaitedCount): ([UInt: Int], Int) = ([:], 0)
  /// The line to which the running task is about to switch.
  var destination: Int?
  /// The line of the actor whose turn it is.
  var turn: Int?
  /// The task that the running code lets begin, or continue, by what is queued next: itself, or the turn of an actor.
  var begins: UInt?
  /// The task that the end of the running one continues: it is queued next.
  var joined: UInt?
  /// The step that queued each task last.
  var queued: [UInt: Int] = [:]
  /// The priorities of the tasks that were queued: if they differ, an actor doesn't keep the order of its calls.
  var priorities: Set<UInt8> = []
  /// The last step in the turns of each actor.
  var lastInTurn: [Int: Int] = [:]
  /// True while a task is woken that has yielded.
  var isWaking = false
  /// True if a handler has let a task begin: others may act when the cancellation is over.
  var hasLetBegin = false
  /// The job that has just begun: its task, and the function with which it begins.
  var entry: (task: UInt, resume: UInt, isFirst: Bool)?
  /// The locks that were held while a task was resumed, and those that were taken in the handlers of one.
  var heldAtResume: [LockUse] = []
  var takenInHandlers: [LockUse] = []
  /// The tasks that wait until nothing else can continue, and all that ever did, by their lines.
  var (settling, settlers): (Set<Int>, Set<Int>) = ([], [])
  /// True if code of the order has queued work of a future, or awaits one.
  var usesFutures = false
  /// The number of calls that it has served in this turn.
  var served = 0

  /// Begins something that is no turn of an actor: one that is interrupted has it again when it goes on.
  mutating func leavesTurn() { (turn, served, isOnMainActor) = (nil, 0, false) }
}

/// The line of an actor.
struct ActorLine {
  weak let actor: AnyObject?
  let line: Int
}
