// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// An answer comes after the question has changed.

extension Kernel {
  static let staleResults: [Kernel] = [
    Kernel("openfoodfacts-8", "openfoodfacts/openfoodfacts-ios#8", "an older answer replaces a newer one") { scene in
      let (screen, server) = (SearchScreen(), SearchServer())
      scene.task("zo") { await screen.search("zo", server, isMended: scene.isMended) }
      scene.task("zombie") { await screen.search("zombie", server, isMended: scene.isMended) }
      scene.afterwards {
        let (query, shown) = await (screen.query, screen.shown)
        if shown != "results for \(query)" { scene.fail("\(shown) for \(query)") }
      }
    },
    Kernel("sdwebimage-699", "SDWebImage/SDWebImage#699", "the completion is on its way to the main thread") { scene in
      let cell = ImageCell()
      scene.task("network") { await cell.didLoad(isMended: scene.isMended) }
      scene.task("user") { await cell.cancel() }
      scene.afterwards { if await cell.isShownAfterCancel { scene.fail("shown after the cancel") } }
    },
    Kernel("nuke-71", "kean/Nuke#71", "a late cancel hits the next load of the same key") { scene in
      let loader = KeyedLoader()
      scene.task("cell") {
        await loader.load("image")
        await scene.isMended ? loader.mendedCancel("image", of: 1) : loader.cancelSoon("image")
        await loader.load("image")
      }
      scene.afterwards {
        await loader.settle()
        if await loader.loads.isEmpty { scene.fail("the second load was cancelled") }
      }
    },
    Kernel("alamofireimage-55", "Alamofire/AlamofireImage#55", "a reload joins the cancelled request") { scene in
      let downloader = ImageDownloader()
      scene.task("first") { _ = await downloader.image(isMended: scene.isMended) }
      scene.task("cancel and reload") {
        await downloader.cancel()
        if await downloader.image(isMended: scene.isMended) == nil { scene.fail("the reload was cancelled") }
      }
    },
    Kernel("tca-3479", "pointfreeco/swift-composable-architecture@2170719", "a flag says that a write was our own") {
      scene in
      let storage = FileStorage()
      scene.task("save") { await storage.save(1, isMended: scene.isMended) }
      scene.task("other process") { await storage.writeFromOutside(2, isMended: scene.isMended) }
      scene.afterwards {
        await storage.deliverEvents(isMended: scene.isMended)
        if await storage.value != storage.file { scene.fail("the value isn't that of the file") }
      }
    },
  ]
}

private actor SearchServer {
  func answer(_ query: String) async -> String {
    await Task.yield()
    return "results for \(query)"
  }
}

/// Shows whatever comes, whenever it comes.
private actor SearchScreen {
  private(set) var query = ""
  private(set) var shown = ""

  func search(_ text: String, _ server: SearchServer, isMended: Bool) async {
    query = text
    let answer = await server.answer(text)
    if !isMended || query == text { shown = answer }
  }
}

/// A cell whose image is set by a block for the main thread.
///
/// Whether it is still wanted is asked before that.
private actor ImageCell {
  private var isCancelled = false
  private(set) var isShownAfterCancel = false

  func cancel() { isCancelled = true }

  nonisolated func didLoad(isMended: Bool) async {
    if await isCancelled { return }
    await decode()
    await show(isMended: isMended)
  }

  @concurrent nonisolated private func decode() async { await Task.yield() }

  private func show(isMended: Bool) {
    if isMended, isCancelled { return }
    isShownAfterCancel = isCancelled
  }
}

/// Loads by keys.
///
/// A cancel is done later, on the loader's queue, when the key may belong to somebody else.
private actor KeyedLoader {
  private(set) var loads: [String: Int] = [:]
  private var count = 0
  private var cancels: [Task<Void, Never>] = []

  func load(_ key: String) {
    count += 1
    loads[key] = count
  }

  func cancelSoon(_ key: String) { cancels.append(Task.detached { await self.cancel(key) }) }
  private func cancel(_ key: String) { loads[key] = nil }
  private func cancel(_ key: String, of number: Int) { if loads[key] == number { loads[key] = nil } }

  func mendedCancel(_ key: String, of number: Int) {
    cancels.append(Task.detached { await self.cancel(key, of: number) })
  }

  func settle() async { for cancel in cancels { await cancel.value } }
}

/// Joins a request for the same image that is under way, also one that was cancelled and doesn't know yet.
private actor ImageDownloader {
  private var running: Task<String?, Never>?

  func image(isMended: Bool) async -> String? {
    if let running, !isMended || !running.isCancelled { return await running.value }
    let task = Task { () -> String? in
      await Task.yield()
      return Task.isCancelled ? nil : "image"
    }
    running = task
    let image = await task.value
    if running == task { running = nil }
    return image
  }

  func cancel() { running?.cancel() }
}

/// A value in a file.
///
/// An event of the file system tells of each write, and a flag says that it was our own.
private actor FileStorage {
  private(set) var file = 0
  private(set) var value = 0
  private var isSetting = false
  private var events = 0

  func save(_ new: Int, isMended: Bool) {
    value = new
    isSetting = true
    write(new)
    Task { self.fileChanged(isMended: isMended) }
  }

  func writeFromOutside(_ new: Int, isMended: Bool) {
    write(new)
    Task { self.fileChanged(isMended: isMended) }
  }

  private func write(_ new: Int) {
    file = new
    events += 1
  }

  func deliverEvents(isMended: Bool) { while events > 0 { fileChanged(isMended: isMended) } }

  private func fileChanged(isMended: Bool) {
    guard events > 0 else { return }
    // The system joins events that nobody has fetched.
    events = 0
    if isSetting, !isMended { isSetting = false } else { value = file }
  }
}
