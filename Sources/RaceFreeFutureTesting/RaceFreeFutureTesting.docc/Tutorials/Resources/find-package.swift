// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "find",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RaceFreeFuture", path: "../RaceFreeFuture")
  ],
  targets: [
    .testTarget(
      name: "JobTests",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"),
      ]
    )
  ]
)
