// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "stop",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RaceFreeFuture", path: "../RaceFreeFuture")
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
