// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Observation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The models of the guide for apps, which are in files beside this one.
@MainActor @Suite struct AppModelTests {
  @Test func `a search shows the answer to the last text, and cancels the others`() async {
    var searches: [ValueFuture<[String]>] = []
    let model = SearchModel { text in
      searches.append(ValueFuture(label: text))
      return searches[searches.count - 1]
    }
    model.typed("s")
    model.typed("sw")
    #expect(searches[0].isCancelled && searches[1].isPending)
    searches[0].tryComplete(with: ["sad"])
    searches[1].complete(with: ["sweet"])
    for search in searches { _ = await search.handlersFinished }
    #expect(model.results == ["sweet"])
    model.typed("swi")
    model.typed("")
    #expect(searches[2].isCancelled && model.results == [])
  }

  @Test func `a search that fails says so`() async {
    let search = ValueFuture<[String]>(label: "search")
    let model = SearchModel { _ in search }
    model.typed("s")
    search.complete(throwing: CocoaError(.fileNoSuchFile))
    _ = await search.handlersFinished
    #expect(model.problem != nil && model.results == [])
  }

  @Test func `a search begins when nothing was typed for a moment, and only for the last text`() throws {
    try withManualControl { control in
      var asked: [String] = []
      let model = PatientSearchModel { text in
        asked.append(text)
        return .completed(with: [text])
      }
      model.typed("s")
      control.clock.advance(by: .milliseconds(299))
      model.typed("sw")
      control.clock.advance(by: .milliseconds(299))
      control.runAll()
      #expect(asked == [] && control.clock.timers.count == 1)
      control.clock.advance(by: .milliseconds(1))
      control.runAll()
      #expect(asked == ["sw"] && model.results == ["sw"])
      model.typed("swi")
      model.pressedReturn()
      control.runAll()
      #expect(asked == ["sw", "swi"])
      model.typed("swif")
      model.pressedEscape()
      control.clock.advance(by: .seconds(1))
      control.runAll()
      #expect(asked == ["sw", "swi"] && model.results == ["swi"])
    }
  }

  @Test func `an answer that comes while more is typed isn't shown, and its search is cancelled`() throws {
    try withManualControl { control in
      var searches: [ValueFuture<[String]>] = []
      let model = PatientSearchModel { _ in
        searches.append(ValueFuture(label: "search"))
        return searches[searches.count - 1]
      }
      model.typed("s")
      control.clock.advance(by: .milliseconds(300))
      control.runAll()
      model.typed("sw")
      #expect(searches.count == 1 && searches[0].isCancelled)
      searches[0].complete(with: ["sad"])
      control.runAll()
      #expect(model.results == [])
      model.pressedEscape()
      control.runAll()
    }
  }

  @Test func `views learn of a result`() async {
    let search = ValueFuture<[String]>(label: "search")
    let model = SearchModel { _ in search }
    let changed = Future(label: "changed")
    withObservationTracking {
      _ = model.results
    } onChange: {
      changed.complete()
    }
    model.typed("s")
    search.complete(with: ["sweet"])
    #expect(await changed.outcome == .completed)
  }

  @Test func `a download that ends is saved`() async {
    let download = ValueFuture<URLResponse>(label: "download")
    let model = DownloadModel { _ in download }
    let response = URLResponse(
      url: URL(fileURLWithPath: "/file"),
      mimeType: nil,
      expectedContentLength: 0,
      textEncodingName: nil
    )
    download.complete(with: response)
    await model.run()
    #expect(model.text == "saved")
  }

  @Test func `a download is cancelled with the task of its view`() async {
    let download = ValueFuture<URLResponse>(label: "download")
    let model = DownloadModel { _ in download }
    let task = Task { await model.run() }
    task.cancel()
    await task.value
    #expect(download.isCancelled && model.text == "stopped")
  }

  @Test func `a download that fails says why`() async {
    let download = ValueFuture<URLResponse>(label: "download")
    let model = DownloadModel { _ in download }
    download.complete(throwing: URLError(.timedOut))
    await model.run()
    #expect(model.text.contains("\(URLError.Code.timedOut.rawValue)") && !download.isCancelled)
  }

  @Test func `work is cancelled with its model`() async {
    let sync = Future(label: "sync")
    var model: SyncModel? = SyncModel()
    model?.start(sync)
    #expect(model?.isRunning == true && sync.isPending)
    model = nil
    #expect(sync.isCancelled)
    _ = await sync.handlersFinished
  }

  @Test func `the end of older work doesn't hide newer work`() async {
    let (older, newer) = (Future(label: "older"), Future(label: "newer"))
    let model = SyncModel()
    model.start(older)
    model.start(newer)
    _ = await older.handlersFinished
    #expect(older.isCancelled && newer.isPending && model.isRunning)
    newer.complete()
    _ = await newer.handlersFinished
    #expect(!model.isRunning)
  }

  @Test func `work that is stopped is no longer shown as running`() async {
    let sync = Future(label: "sync")
    let model = SyncModel()
    model.start(sync)
    model.stop()
    _ = await sync.handlersFinished
    #expect(sync.isCancelled && !model.isRunning)
  }
}
