// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

// MARK: - Threads that code makes

extension OrderRun {
  /// Sets what runs on such threads; before the first of them.
  static func prepareThreads() {
    unsafe rff_setThreadBody { thread, function, argument in
      guard let thread = unsafe thread else { return 0 }
      // Retained when it was made.
      let own = unsafe Unmanaged<ExploredThread>.fromOpaque(thread).takeRetainedValue()
      let run = own.run
      let result = OneThread<UInt>.Box(0)
      own.live { result.value = rff_runThread(function, argument) }
      run.turns.handBack()
      return result.value
    }
  }

  func drivesThread(_ call: Int, _ words: [UInt], _ result: inout UInt, _ place: ExploredPlace) -> Bool {
    switch call {
    case rff_call_pthread_create:
      // A step of an actor of `explore` isn't interrupted: a thread that it waits for has to be a real one.
      guard place.thread != nil || taskScenario != nil else { return false }
      let identity = drivenIdentity("thread")
      _ = identity.enter(place)
      if let thread = place.thread {
        _ = thread.take(ThreadOperation(label: { "starts \(identity.name)" }, touches: identity.changes))
      }
      trail.usesSomethingNew()
      let begins = ThreadOperation(label: { "begins" }, touches: identity.changes)
      let made = addMade(by: place.thread, before: begins)
      // Released on the new thread.
      let opaque = unsafe Unmanaged.passRetained(made).toOpaque()
      result = unsafe rff_createThread(words, opaque)
      guard result == 0, let handle = unsafe UnsafePointer<UInt>(bitPattern: words[0]) else {
        unsafe Unmanaged<ExploredThread>.fromOpaque(opaque).release()
        (made.pending, made.isOver) = (nil, true)
        return true
      }
      // The function has written it.
      unsafe driven.threads[handle.pointee] = (made, identity)
      return true
    case rff_call_pthread_join:
      guard let (made, identity) = driven.threads[words[0]], let thread = place.thread else { return false }
      var joins = ThreadOperation(label: { "joins \(identity.name)" }, touches: .anything)
      joins.ways = { made.isOver ? [0] : [] }
      joins.waits = { [self] in "waits for the end of \"\(title(of: made.line))\"" }
      _ = thread.take(joins)
      threads.memory.acquire(threads.memory.release(by: made.number), by: thread.number)
      // The real one returns at once.
      return false
    default: return false
    }
  }
}
