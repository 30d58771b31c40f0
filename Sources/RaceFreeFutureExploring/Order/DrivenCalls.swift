// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

// MARK: - Calls that are driven

extension OrderRun {
  /// Makes a call of explored code, if it concerns what the order drives.
  ///
  /// - Parameters:
  ///   - call: The function, by its number.
  ///   - words: Its arguments.
  ///   - result: Set to its result.
  /// - Returns: True if it was made.
  func drives(_ call: Int, _ words: [UInt], _ result: inout UInt) -> Bool {
    guard isOwnThread, let place = ExploredPlace.current else { return false }
    // For tests that something is missed then.
    if let ignored, unsafe String(cString: rff_nameOfCall(Int32(call))) == ignored { return false }
    if turns.isLooking { return looks(call, words, &result) }
    if call == rff_call_swift_job_run { return runsJob(words) }
    if isOnce(call) { return comesToInitializer(words[0], hasRun: words[3] != 0) }
    // What is released at the end isn't a part of the order.
    if place.thread == nil, failure != nil || hasEnded { return DrivenSource.isReal(words[0]) }
    // What else it shares isn't seen: variables that nothing guards.
    if taskScenario == nil, place.thread != nil { sharesMore = true }
    return drivesLock(call, words, &result, place) || drivesSource(call, words, &result, place)
      || drivesQueue(call, words, &result, place) || drivesObject(call, words, &result, place)
      || drivesTime(call, words, &result, place) || drivesThread(call, words, &result, place)
  }

  /// A call in a condition, which nobody interrupts: it changes nothing.
  private func looks(_ call: Int, _ words: [UInt], _ result: inout UInt) -> Bool {
    switch call {
    case rff_call_pthread_mutex_lock, rff_call_pthread_mutex_trylock, rff_call_pthread_mutex_unlock,
      rff_call_pthread_mutex_timedlock:
      return driven.locks[words[0]] != nil
    case rff_call_pthread_rwlock_rdlock, rff_call_pthread_rwlock_wrlock, rff_call_pthread_rwlock_unlock,
      rff_call_pthread_rwlock_tryrdlock, rff_call_pthread_rwlock_trywrlock:
      return driven.readWriteLocks[words[0]] != nil
    case rff_call_dispatch_sync, rff_call_dispatch_barrier_sync, rff_call_dispatch_async_and_wait:
      guard queue(words[0], ExploredPlace.current) != nil else { return false }
      rff_runBlock(words[1], 0)
      return true
    case rff_call_dispatch_sync_f, rff_call_dispatch_barrier_sync_f:
      guard queue(words[0], ExploredPlace.current) != nil else { return false }
      rff_runFunction(words[2], words[1], 0)
      return true
    case rff_call_dispatch_source_testcancel, rff_call_dispatch_source_get_data:
      guard let source = driven.sources[words[0]] else { return false }
      result = call == rff_call_dispatch_source_get_data ? source.data : source.isCancelled ? 1 : 0
      return true
    default:
      return driven.sources[words[0]] != nil
    }
  }

  // MARK: Locks

  private func drivesLock(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    let address = words[0]
    switch call {
    case rff_call_pthread_mutex_lock: result = lock(address).lock(place)
    case rff_call_pthread_mutex_trylock: result = lock(address).lockIfFree(place)
    case rff_call_pthread_mutex_timedlock: result = lock(address).lock(place, within: rff_timeUntilDate(words[1]))
    case rff_call_pthread_mutex_unlock: return driven.locks[address]?.unlock(place) ?? false
    case rff_call_pthread_rwlock_rdlock: result = readWriteLock(address, place).lock(place, writes: false, waits: true)
    case rff_call_pthread_rwlock_wrlock: result = readWriteLock(address, place).lock(place, writes: true, waits: true)
    case rff_call_pthread_rwlock_tryrdlock:
      result = readWriteLock(address, place).lock(place, writes: false, waits: false)
    case rff_call_pthread_rwlock_trywrlock:
      result = readWriteLock(address, place).lock(place, writes: true, waits: false)
    case rff_call_pthread_rwlock_unlock: return driven.readWriteLocks[address]?.unlock(place) ?? false
    case rff_call_pthread_cond_wait, rff_call_pthread_cond_timedwait:
      let delay = call == rff_call_pthread_cond_wait ? nil : rff_timeUntilDate(words[2])
      guard let lock = driven.locks[words[1]] else { return waitInLibrary(words, for: delay, &result, place) }
      guard lock.core.isHeld(at: place) else { return false }
      result = condition(address, place).wait(place, under: lock, for: delay) ? 0 : ErrorNumber.timedOut
    case rff_call_pthread_cond_signal: condition(address, place).wake(place, "signal", all: false)
    case rff_call_pthread_cond_broadcast: condition(address, place).wake(place, "broadcast", all: true)
    default: return false
    }
    return true
  }

  private func lock(_ address: UInt) -> DrivenLock {
    if let known = driven.locks[address] { return known }
    let new = DrivenLock(self, address)
    driven.locks[address] = new
    return new
  }

  private func condition(_ address: UInt, _ place: ExploredPlace) -> DrivenCondition {
    if let known = driven.conditions[address] { return known }
    let new = DrivenCondition(self, place)
    driven.conditions[address] = new
    return new
  }

  private func readWriteLock(_ address: UInt, _ place: ExploredPlace) -> DrivenReadWriteLock {
    if let known = driven.readWriteLocks[address] { return known }
    let new = DrivenReadWriteLock(self, address, place)
    driven.readWriteLocks[address] = new
    return new
  }

  // MARK: Queues

  /// Returns a queue that the order drives: one that its code has made, or one that everybody has.
  func queue(_ address: UInt, _ place: ExploredPlace?) -> DrivenQueue? {
    if let known = driven.queues[address] { return known }
    guard let place else { return nil }
    if case .queue(let kind, let target)? = DrivenObjects.lasting.withLock({ $0[address] }) {
      let known = target == 0 ? nil : queue(target, place)
      let new = DrivenQueue(self, place, address, kind, isInactive: false, target: known)
      driven.queues[address] = new
      return new
    }
    if rff_isSource(address) { return nil }
    // Copied there.
    let label = unsafe rff_labelOfQueue(address).map { unsafe String(cString: $0) } ?? ""
    let isMain = rff_isMainQueue(address)
    guard isMain || label.hasPrefix("com.apple.root.") else { return nil }
    let kind: DrivenQueue.Kind = isMain ? .serial : .global
    let new = DrivenQueue(self, place, address, kind, isInactive: false, target: nil)
    driven.queues[address] = new
    return new
  }

  private func drivesQueue(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    switch call {
    case rff_call_dispatch_async, rff_call_dispatch_barrier_async:
      return async(words[0], place, isBarrier: call != rff_call_dispatch_async) { HandedWork(block: words[1], place) }
    case rff_call_dispatch_async_f, rff_call_dispatch_barrier_async_f:
      return async(words[0], place, isBarrier: call != rff_call_dispatch_async_f) {
        HandedWork(function: words[2], words[1], place)
      }
    case rff_call_dispatch_group_async, rff_call_dispatch_group_async_f:
      guard let group = group(words[0], place) else { return false }
      let isBlock = call == rff_call_dispatch_group_async
      let isDriven = async(words[1], place, isBarrier: false, group) {
        isBlock ? HandedWork(block: words[2], place) : HandedWork(function: words[3], words[2], place)
      }
      if !isDriven { group.hasMore = true }
      return isDriven
    case rff_call_dispatch_sync, rff_call_dispatch_barrier_sync, rff_call_dispatch_async_and_wait:
      guard let queue = queue(words[0], place) else { return false }
      queue.sync(place, HandedWork(borrowing: words[1], place), isBarrier: call == rff_call_dispatch_barrier_sync)
      return true
    case rff_call_dispatch_sync_f, rff_call_dispatch_barrier_sync_f:
      guard let queue = queue(words[0], place) else { return false }
      let work = HandedWork(function: words[2], words[1], place)
      queue.sync(place, work, isBarrier: call == rff_call_dispatch_barrier_sync_f)
      return true
    case rff_call_dispatch_suspend: return queue(words[0], place).map { $0.suspend(place) } != nil
    case rff_call_dispatch_resume: return queue(words[0], place).map { $0.resume(place, "resume") } != nil
    case rff_call_dispatch_activate:
      // The real one is activated as well, so that it may be released.
      driven.queues[words[0]]?.resume(place, "activate")
      return false
    case rff_call_dispatch_set_target_queue:
      guard let queue = driven.queues[words[0]], let target = self.queue(words[1], place) else { return false }
      queue.setTarget(place, target)
      return true
    case rff_call_dispatch_get_specific:
      guard let queue = driven.stacks[place.thread?.line ?? -1]?.last else { return false }
      result = queue.chain.lazy.map { rff_specificOfQueue($0.address, words[0]) }.first { $0 != 0 } ?? 0
      return true
    case rff_call_dispatch_assert_queue, rff_call_dispatch_assert_queue_barrier, rff_call_dispatch_assert_queue_not:
      return asserts(call, words[0], place)
    case rff_call_dispatch_apply: return apply(words[0], words[1], HandedWork(borrowing: words[2], place), place)
    case rff_call_dispatch_apply_f:
      return apply(words[0], words[1], HandedWork(function: words[3], words[2], place), place)
    default: return false
    }
  }

  private func async(
    _ address: UInt,
    _ place: ExploredPlace,
    isBarrier: Bool,
    _ group: DrivenGroup? = nil,
    _ work: () -> HandedWork
  ) -> Bool {
    guard let queue = queue(address, place) else { return false }
    if let leaving = jobs.leaving.take() {
      putJob(work(), on: queue, place, isBarrier: isBarrier, group, leaving)
      return true
    }
    queue.async(place, work(), isBarrier: isBarrier, group: group)
    return true
  }

  /// True for the main queue in the body of `exploreTasks`, which the main actor shares.
  func isMainOfTasks(_ address: UInt) -> Bool { taskScenario != nil && rff_isMainQueue(address) }

  /// Queues work on the line of the main actor.
  func putOnMain(_ work: HandedWork, then end: @escaping (ExploredPlace) -> Void) {
    let work = OneThread((work, end))
    if reduction == .ofTasks { trail.use(.anything) }
    add(
      WorkLines.Item(label: { "runs a block" }) { [self] in
        let was = jobs.isOnMainActor
        (jobs.isOnMainActor, jobs.begun) = (true, [])
        trail.use(.anything)
        work.value.0.run()
        jobs.isOnMainActor = was
        guard let place = ExploredPlace.current else { return }
        work.value.0.block.flatMap { driven.blocks[$0] }?.ends(place)
        work.value.1(place)
      },
      to: mainLine
    )
  }

  private func asserts(_ call: Int, _ address: UInt, _ place: ExploredPlace) -> Bool {
    let wanted = call != rff_call_dispatch_assert_queue_not
    guard let queue = queue(address, place) else { return false }
    let isOn = queue.isCurrent(place, asBarrier: call == rff_call_dispatch_assert_queue_barrier)
    if isOn == wanted { return true }
    guard let thread = place.thread else { return false }
    let name = queue.identity.name
    thread.fail(
      "\"\(title(of: thread.line))\" \(wanted ? "isn't" : "is") on \(name), where a precondition "
        + "\(wanted ? "wants" : "doesn't want") it\(recorder.isOn ? SymbolTable.place(of: Self.callers) : "")"
    )
  }

  /// Runs work several times at once, and waits for all.
  private func apply(_ count: UInt, _ address: UInt, _ work: HandedWork, _ place: ExploredPlace) -> Bool {
    guard let thread = place.thread, count > 0 else { return false }
    if address != 0, driven.queues[address] == nil, queue(address, place) == nil { return false }
    let left = OneThread<Int>.Box(Int(count) - 1)
    let identity = drivenIdentity("concurrentPerform")
    _ = identity.enter(place)
    _ = thread.take(ThreadOperation(label: { "\(identity.name) of \(count)" }, touches: identity.changes))
    for index in 1..<max(1, Int(count)) {
      trail.usesSomethingNew()
      let begins = ThreadOperation(label: { "begins iteration \(index)" }, touches: identity.changes)
      _ = addService("iteration", by: thread, before: begins) {
        work.run(index)
        guard let place = ExploredPlace.current, let own = place.thread else { return }
        _ = own.take(ThreadOperation(label: { "ends iteration \(index)" }, touches: identity.changes))
        left.value -= 1
      }
    }
    work.run(0)
    var ends = ThreadOperation(label: { "\(identity.name) ends" }, touches: identity.waits)
    ends.ways = { left.value == 0 ? [0] : [] }
    ends.waits = { "waits for the iterations of \(identity.fullName)" }
    _ = thread.take(ends)
    return true
  }

  // MARK: Groups, semaphores, work items

  private func drivesObject(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    switch call {
    case rff_call_dispatch_semaphore_create, rff_call_dispatch_group_create, rff_call_dispatch_queue_create,
      rff_call_dispatch_queue_create_with_target, rff_call_dispatch_queue_attr_make_initially_inactive,
      rff_call_dispatch_queue_attr_make_with_autorelease_frequency, rff_call_dispatch_queue_attr_make_with_qos_class,
      rff_call_dispatch_block_create, rff_call_dispatch_block_create_with_qos_class:
      notesMade(call, words, place)
      return true
    case rff_call_dispatch_semaphore_signal:
      guard let semaphore = semaphore(words[0], place) else { return false }
      semaphore.signal(place)
      result = 0
    case rff_call_dispatch_semaphore_wait:
      // A step waits for the real one: others than the order may signal it.
      guard place.thread != nil, let semaphore = semaphore(words[0], place) else { return false }
      result = semaphore.wait(place, for: delay(words[1])) ? 0 : 1
    case rff_call_dispatch_group_enter:
      guard let group = group(words[0], place) else { return false }
      group.enter(place)
    case rff_call_dispatch_group_leave:
      guard let group = group(words[0], place) else { return false }
      group.leave(place)
    case rff_call_dispatch_group_wait:
      guard place.thread != nil, let group = group(words[0], place) else { return false }
      result = group.wait(place, for: delay(words[1])) ? 0 : 1
      if group.hasMore { return false }
    case rff_call_dispatch_group_notify, rff_call_dispatch_group_notify_f:
      guard let group = group(words[0], place), !group.hasMore else { return false }
      let isBlock = call == rff_call_dispatch_group_notify
      let work = { isBlock ? HandedWork(block: words[2], place) : HandedWork(function: words[3], words[2], place) }
      guard let queue = queue(words[1], place) else { return false }
      group.notify(place, queue, work())
    case rff_call_dispatch_block_notify:
      guard let block = driven.blocks[words[0]], let queue = queue(words[1], place) else { return false }
      block.notify(place, queue, HandedWork(block: words[2], place))
    case rff_call_dispatch_block_wait:
      guard let block = driven.blocks[words[0]] else { return false }
      result = block.wait(place, for: delay(words[1])) ? 0 : 1
    case rff_call_dispatch_block_cancel:
      driven.blocks[words[0]]?.step(place, "cancel")
      return false
    case rff_call_dispatch_block_testcancel:
      driven.blocks[words[0]]?.step(place, "isCancelled")
      return false
    default: return false
    }
    return true
  }

  private func semaphore(_ address: UInt, _ place: ExploredPlace) -> DrivenSemaphore? {
    if let known = driven.semaphores[address] { return known }
    guard case .semaphore? = DrivenObjects.lasting.withLock({ $0[address] }) else { return nil }
    let new = DrivenSemaphore(self, place, address)
    driven.semaphores[address] = new
    return new
  }

  private func group(_ address: UInt, _ place: ExploredPlace) -> DrivenGroup? {
    if let known = driven.groups[address] { return known }
    guard case .group? = DrivenObjects.lasting.withLock({ $0[address] }) else { return nil }
    let new = DrivenGroup(self, place, address)
    driven.groups[address] = new
    return new
  }

  /// Returns the nanoseconds until a time of Dispatch; nil: forever.
  private func delay(_ time: UInt) -> Int64? { time == .max ? nil : rff_timeUntil(UInt64(time)) }

  /// Notes that code of the order has made an object of Dispatch: the fourth word.
  private func notesMade(_ call: Int, _ words: [UInt], _ place: ExploredPlace) {
    let made = words[3]
    guard made != 0 else { return }
    switch call {
    case rff_call_dispatch_semaphore_create:
      driven.keep(made)
      driven.semaphores[made] = DrivenSemaphore(self, place, made)
    case rff_call_dispatch_group_create:
      driven.keep(made)
      driven.groups[made] = DrivenGroup(self, place, made)
    case rff_call_dispatch_queue_create, rff_call_dispatch_queue_create_with_target:
      let attribute = attribute(words[1])
      let target = call == rff_call_dispatch_queue_create ? 0 : words[2]
      // What targets the main queue of a body, or one that isn't known, isn't known either.
      let known = target == 0 || isMainOfTasks(target) ? nil : queue(target, place)
      if target != 0, known == nil { return }
      driven.keep(made)
      driven.queues[made] = DrivenQueue(
        self,
        place,
        made,
        attribute.isConcurrent ? .concurrent : .serial,
        isInactive: attribute.isInactive,
        target: known
      )
    case rff_call_dispatch_block_create, rff_call_dispatch_block_create_with_qos_class:
      driven.blocks[made] = DrivenBlock(self, place, made, isBarrier: words[0] & 1 != 0)
    default:
      var attribute = attribute(words[0])
      if call == rff_call_dispatch_queue_attr_make_initially_inactive { attribute.isInactive = true }
      driven.attributes[made] = attribute
    }
  }

  private func attribute(_ address: UInt) -> DrivenObjects.Attribute {
    driven.attributes[address] ?? DrivenObjects.Attribute(isConcurrent: rff_isConcurrentAttribute(address))
  }

  // MARK: Time

  private func drivesTime(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    switch call {
    case rff_call_dispatch_after, rff_call_dispatch_after_f:
      guard let queue = queue(words[1], place) else { return false }
      let isBlock = call == rff_call_dispatch_after
      let work = isBlock ? HandedWork(block: words[2], place) : HandedWork(function: words[3], words[2], place)
      let name = queue.identity.name
      if let thread = place.thread {
        let timers = Footprint(.timers, .write)
        _ = thread.take(ThreadOperation(label: { "\(name).asyncAfter" }, touches: timers))
      }
      guard let delay = delay(words[0]) else { return true }
      _ = startTimer(after: delay, name) { if let place = ExploredPlace.current { queue.put(place, work) } }
    case rff_call_sleep:
      guard place.thread != nil else { return false }
      sleep(place, Int64(truncatingIfNeeded: UInt32(truncatingIfNeeded: words[0])) * 1_000_000_000)
    case rff_call_usleep:
      guard place.thread != nil else { return false }
      sleep(place, Int64(UInt32(truncatingIfNeeded: words[0])) * 1_000)
    case rff_call_nanosleep:
      guard place.thread != nil else { return false }
      sleep(place, rff_duration(words[0]))
    case rff_call_clock_nanosleep:
      // Flag 1: until a time.
      guard place.thread != nil, words[1] == 0 else { return false }
      sleep(place, rff_duration(words[2]))
    default: return false
    }
    return true
  }
}
