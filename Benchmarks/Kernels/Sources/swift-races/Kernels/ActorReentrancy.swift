// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// An actor runs other calls while one of its own is suspended, and tasks don't begin in the order in which they are made.

extension Kernel {
  static let actorReentrancy: [Kernel] = [
    Kernel("sourcekit-lsp-index", "swiftlang/sourcekit-lsp@1a32c4a", "asked twice before the first is noted") { scene in
      let manager = IndexManager()
      for name in ["edit", "build"] { scene.task(name) { await manager.index("a.swift", isMended: scene.isMended) } }
      scene.afterwards { if await manager.scheduled != 1 { scene.fail("it is indexed twice") } }
    },
    Kernel("sourcekit-lsp-progress", "swiftlang/sourcekit-lsp@328a02a", "two progress bars for one index") { scene in
      let progress = IndexProgress()
      for name in ["scheduled", "status"] { scene.task(name) { await progress.changed(isMended: scene.isMended) } }
      scene.afterwards { if await progress.bars != 1 { scene.fail("two bars") } }
    },
    Kernel("sourcekit-lsp-workspace", "swiftlang/sourcekit-lsp@a6f74fc", "a cache is filled after it was cleared") {
      scene in
      let server = WorkspaceServer()
      scene.task("open") { _ = await server.workspace(isMended: scene.isMended) }
      scene.task("folders") { await server.changeFolders() }
      scene.afterwards {
        let (found, newest) = await (server.workspace(isMended: scene.isMended), server.newest)
        if found != newest { scene.fail("workspace \(found), not \(newest)") }
      }
    },
    Kernel("sourcekit-lsp-completion", "swiftlang/sourcekit-lsp@c4ff9d0", "a session opens before another is closed") {
      scene in
      let completion = Completion()
      for name in ["a", "ab"] {
        scene.task(name) { await completion.complete(isMended: scene.isMended) }
      }
      scene.afterwards { if await completion.mostOpen > 1 { scene.fail("two sessions are open") } }
    },
    Kernel("sourcekit-lsp-build-graph", "swiftlang/sourcekit-lsp@4d1fa7a", "waits before there is what it waits for") {
      scene in
      let system = BuildSystem()
      scene.task("server") {
        if scene.isMended { await system.schedule() } else { Task { await system.schedule() } }
        await system.waitUntilUpToDate()
        if await !system.hasGraph { scene.fail("indexed without a graph") }
      }
    },
    Kernel("swift-nio-2587", "apple/swift-nio@035141d", "a buffered write overtakes one on its way") { scene in
      let channel = NIOWriter()
      scene.task("writer") {
        channel.write(1, isMended: scene.isMended)
        channel.write(2, isMended: scene.isMended)
      }
      scene.task("event loop") { channel.toggleWritability() }
      scene.afterwards {
        await channel.settle()
        let written = channel.written
        if written != written.sorted() { scene.fail("written: \(written)") }
      }
    },
    Kernel("sourcekit-lsp-session", "swiftlang/sourcekit-lsp@16aa082", "two servers, one session between them") {
      scene in
      let daemon = SourceKitDaemon()
      for name in ["a.swift", "b.swift"] {
        scene.task(name) {
          let completions = await daemon.completions(of: name, isMended: scene.isMended)
          if completions != name { scene.fail("completions of \(completions) for \(name)") }
        }
      }
    },
  ]
}

/// Notes what it indexes only when it knows the target.
private actor IndexManager {
  private var inProgress: Set<String> = []
  private(set) var scheduled = 0

  private func target(of file: String) async -> String {
    await Task.yield()
    return "target of \(file)"
  }

  func index(_ file: String, isMended: Bool) async {
    if inProgress.contains(file) { return }
    if isMended { inProgress.insert(file) }
    _ = await target(of: file)
    inProgress.insert(file)
    scheduled += 1
  }
}

/// Makes a progress bar when there is none, after it has asked for the status.
private actor IndexProgress {
  private(set) var bars = 0
  private var last: Task<Void, Never>?

  func changed(isMended: Bool) async {
    guard isMended else { return await update() }
    // One after the other.
    let task = Task { [last] in
      await last?.value
      await self.update()
    }
    last = task
    await task.value
  }

  private func update() async {
    if bars > 0 { return }
    await Task.yield()
    bars += 1
  }
}

/// Looks for the workspace of a document, and keeps what it found, even if the folders have changed since then.
private actor WorkspaceServer {
  private(set) var newest = 1
  private var cache: Int?

  func changeFolders() {
    newest += 1
    cache = nil
  }

  func workspace(isMended: Bool) async -> Int {
    while true {
      if let cache { return cache }
      let found = newest
      await Task.yield()
      if isMended, found != newest { continue }
      cache = found
      return found
    }
  }
}

/// One session may be open in the daemon.
///
/// To close it is a request, during which another one looks.
private actor Completion {
  private var session: Int?
  private var isOpen: Set<Int> = []
  private var count = 0
  private(set) var mostOpen = 0
  private var last: Task<Void, Never>?

  func complete(isMended: Bool) async {
    guard isMended else { return await reopen() }
    let task = Task { [last] in
      await last?.value
      await self.reopen()
    }
    last = task
    await task.value
  }

  private func reopen() async {
    if let old = session {
      await Task.yield()
      isOpen.remove(old)
    }
    count += 1
    let new = count
    session = new
    await Task.yield()
    isOpen.insert(new)
    mostOpen = max(mostOpen, isOpen.count)
  }
}

/// Generates a graph when it is told to; who waits for that before gets none.
private actor BuildSystem {
  private var generation: Task<Void, Never>?
  private(set) var hasGraph = false

  func schedule() { generation = Task { self.hasGraph = true } }
  func waitUntilUpToDate() async { await generation?.value }
}

/// Writes go to the event loop, or into a buffer while the channel isn't writable; the event loop empties that at once,
/// before what is on its way.
///
/// (The channel is unwritable once, when the loop says so, for one write.)
private final class NIOWriter: Sendable {
  private struct State {
    var isWritable = true
    var buffered: [Int] = []
    var pending: [Int] = []
    var written: [Int] = []
    var hops: [Task<Void, Never>] = []
  }

  private let state = Box(State())

  var written: [Int] { state.value.written }

  func write(_ number: Int, isMended: Bool) {
    let hops = state.withLock { state in
      guard state.isWritable else {
        state.buffered.append(number)
        return false
      }
      state.pending.append(number)
      return true
    }
    if !hops { return flush(isMended: isMended) }
    let task = Task { self.runPending() }
    state.withLock { $0.hops.append(task) }
  }

  /// The loop, when the channel is writable again.
  private func flush(isMended: Bool) {
    if isMended { runPending() }
    state.withLock { state in
      state.written += state.buffered
      state.buffered = []
      state.isWritable = true
    }
  }

  private func runPending() {
    state.withLock { state in
      state.written += state.pending
      state.pending = []
    }
  }

  func toggleWritability() { state.withLock { $0.isWritable = false } }

  func settle() async { for hop in state.value.hops { await hop.value } }
}

/// A daemon with one session for all who ask.
private actor SourceKitDaemon {
  private var session = ""
  private var last: Task<String, Never>?

  func completions(of file: String, isMended: Bool) async -> String {
    guard isMended else { return await openAndUpdate(file) }
    let task = Task { [last] in
      _ = await last?.value
      return await self.openAndUpdate(file)
    }
    last = task
    return await task.value
  }

  private func openAndUpdate(_ file: String) async -> String {
    session = file
    await Task.yield()
    return session
  }
}
