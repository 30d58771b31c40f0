import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

@Test func aClosedScreenIsLeftAlone() async throws {
  await explore("a closed screen is left alone") { scenario in
    let load = Future(label: "load")
    let screen = Variable("waiting")
    load.onComplete(on: .main) {
      screen.value = screen.value == "closed" ? "touched" : "loaded"
    }
  }
}
