import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

@Test func aClosedScreenIsLeftAlone() async throws {
  let report = await explore("a closed screen is left alone") { scenario in
    let load = Future(label: "load")
    let screen = Variable("waiting")
    let showing = load.onComplete(on: .main) {
      screen.value = screen.value == "closed" ? "touched" : "loaded"
    }

    scenario.actor("network", .init("complete()") { load.tryComplete() })
    scenario.actor(
      "user",
      .init("cancel()") { load.tryCancel() },
      .init("unregister()") { showing.unregister() },
      .init("closes") { screen.value = "closed" }
    )
    scenario.state { screen.value }
    scenario.invariant { screen.value == "touched" ? "the screen was closed" : nil }
  }
  print(report)
}
