// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// A lock of the user's: an explored one, or one of the system, by its address.
enum UserLock: Hashable {
  case explored(ObjectIdentifier)
  case real(UInt)
}

/// A use of a lock, for half of a deadlock: with the task whose status lock is needed, or held, as well.
struct LockUse {
  let lock: UserLock
  let name: String
  let task: UInt
  let who: String
  /// Where it was used: the return addresses, the innermost first.
  let callers: [UInt]

  /// The function, as far as the symbol table has it.
  var place: String { SymbolTable.place(of: callers) }
}

// MARK: - Real locks

extension OrderRun {
  /// The tasks whose status locks the running thread holds: it calls their cancellation handlers.
  ///
  /// One thread of an order runs at a time. So a lock that is held belongs to it, or to one that has stopped, and that has
  /// noted it. Others that need such a lock wait for it as for a real one.
  var statusLocks: [UInt] {
    guard TaskLayout.known != nil else { return [] }
    let locked = jobs.addresses.filter(TaskLayout.isLocked)
    return locked.isEmpty ? [] : locked.filter { task in !threads.all.contains { $0.statusLocks.contains(task) } }
  }

  var isInHandler: Bool { !statusLocks.isEmpty }

  /// Lets the thread continue that holds a real lock, if it is one of this order that has stopped: the running one would
  /// wait for it forever.
  ///
  /// - Parameter word: The address of the word with the number of the thread that holds it.
  func comesToLock(_ word: UInt) {
    guard isOwnThread, !turns.isLooking, holder(of: word) != nil, let thread = ExploredPlace.current?.thread else {
      return
    }
    let operation = ThreadOperation(
      label: { "lock a real lock" },
      ways: { [self] in holder(of: word) == nil ? [0] : [] },
      waits: { [self] in
        "waits for a real lock\(holder(of: word).map { ", which \"\(title(of: $0.line))\" holds" } ?? "")"
      }
    )
    _ = thread.take(operation)
  }

  /// Has the running code wait for a condition of a library, under a lock that isn't driven: such as for the end of an
  /// operation.
  ///
  /// A signal is noticed on every thread; one of another thread counts when nothing else can continue. An order in which
  /// others run a part waits for them.
  func waitInLibrary(_ words: [UInt], for delay: Int64?, _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    let (mutex, owner) = (words[1], rff_ownerOfMutex(words[1]))
    guard let thread = place.thread, rff_holder(owner) == rff_threadNumber(), !hasLeft,
      case let wait = rff_beginWait(words[0]), wait >= 0
    else { return false }
    driven.waits.insert(wait)
    _ = rff_callNext(Int32(rff_call_pthread_mutex_unlock), mutex)
    let timer = delay.map { startTimer(after: $0, title(of: thread.line)) }
    var operation = ThreadOperation(label: { "continues after a wait in a library" })
    operation.touches = .anything
    operation.touches?.mayWait = true
    operation.ways = { [self] in
      guard holder(of: owner) == nil else { return [] }
      return rff_hasSignal(wait) ? [0] : timer?.isOver == true ? [1] : []
    }
    let place = recorder.isOn ? SymbolTable.place(of: Self.callers) : ""
    operation.waits = { "waits in a library\(place), and nobody signals any more" }
    result = thread.take(operation) == 0 ? 0 : ErrorNumber.timedOut
    stop(timer)
    rff_endWait(wait)
    driven.waits.remove(wait)
    _ = rff_callNext(Int32(rff_call_pthread_mutex_lock), mutex)
    return true
  }

  private func holder(of word: UInt) -> ExploredThread? {
    let number = rff_holder(word)
    return number == 0 ? nil : threads.all.first { $0.pending != nil && $0.threadNumber == number }
  }

  /// Notes that the running code has taken a mutex of the system.
  func takesReal(_ mutex: UInt) { takes(.real(mutex), named: "a mutex of the system") }

  // MARK: Half of a deadlock

  /// Notes that the running code has taken a lock: in a handler, it is called under the status lock of its task.
  func takes(_ lock: UserLock, named name: String) {
    guard isOwnThread, !turns.isLooking, case let tasks = statusLocks, !tasks.isEmpty else { return }
    for task in tasks {
      let title = title(ofTask: task)
      jobs.takenInHandlers.append(LockUse(lock: lock, name: name, task: task, who: title, callers: Self.callers))
    }
    findsHalves()
  }

  /// Notes that a task is about to be resumed, which needs its status lock, with the locks that are held meanwhile.
  func resumes(_ task: UInt, by current: UInt) {
    guard !statusLocks.contains(task) else { return }
    let line = jobs.tasks[current]?.line
    var held = line.flatMap { threads.locks[$0] }?.map { (UserLock.explored(ObjectIdentifier($0)), $0.fullName) } ?? []
    var real = [UInt](repeating: 0, count: 16)
    // Fills at most as many as there are.
    let count = unsafe rff_heldMutexes(&real, Int32(real.count))
    held += real.prefix(Int(count)).map { (.real($0), "a mutex of the system") }
    if held.isEmpty { return }
    let (who, callers) = (title(ofTask: current), Self.callers)
    jobs.heldAtResume += held.map { LockUse(lock: $0.0, name: $0.1, task: task, who: who, callers: callers) }
    findsHalves()
  }

  /// Makes the order fail if a lock was held while a task was resumed, and taken in a cancellation handler of that task.
  ///
  /// Somebody who cancels the task has its status lock and waits for the other one, while somebody who resumes it has that
  /// one and waits for its status lock.
  private func findsHalves() {
    for resume in jobs.heldAtResume where thrown == nil {
      guard let handler = jobs.takenInHandlers.first(where: { $0.lock == resume.lock && $0.task == resume.task }) else {
        continue
      }
      thrown = .misuse(
        "\"\(resume.who)\" holds \(resume.name) while it resumes \"\(handler.who)\"\(resume.place), and a cancellation "
          + "handler of that task takes the same lock\(handler.place): the two can wait for each other, because the runtime "
          + "calls handlers under a lock that resuming needs; resume after the lock was given back"
      )
    }
  }

  private func title(ofTask task: UInt) -> String { jobs.tasks[task].map { title(of: $0.line) } ?? "a task" }
}
