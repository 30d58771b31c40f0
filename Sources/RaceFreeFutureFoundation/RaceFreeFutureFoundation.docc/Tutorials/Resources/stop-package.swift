// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "stop",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/racefreefuture/RaceFreeFuture", branch: "main")
  ],
  targets: [
    .executableTarget(
      name: "stop",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
      ]
    )
  ]
)
