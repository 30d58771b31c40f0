// swift-tools-version: 6.2
// Examples for RaceFreeFuture, a package of their own, so that the library itself depends on nothing.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let core = Target.Dependency.product(name: "RaceFreeFuture", package: "RaceFreeFuture")
let foundation = Target.Dependency.product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture")
let testing = Target.Dependency.product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")

let package = Package(
  name: "RaceFreeFutureExamples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RaceFreeFuture", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "Loopback", dependencies: [core, flyingFox, flyingSocks]),
    .executableTarget(name: "first-token", dependencies: [core]),
    .executableTarget(name: "composite", dependencies: [core, argumentParser]),
    .executableTarget(name: "wrap-callback-api", dependencies: [core, argumentParser]),
    .executableTarget(name: "operations", dependencies: [core, foundation]),
    .executableTarget(
      name: "search-as-you-type",
      dependencies: ["Loopback", core, foundation, argumentParser, flyingFox]
    ),
    .executableTarget(name: "programs", dependencies: [core, foundation, argumentParser]),
    .executableTarget(name: "race-gallery", dependencies: [core]),
    .executableTarget(name: "service", dependencies: ["Loopback", core, foundation, argumentParser, flyingFox]),
    .executableTarget(
      name: "fetch",
      dependencies: ["Loopback", core, foundation, argumentParser, flyingFox, flyingSocks]
    ),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "fetch", "first-token", "composite", "wrap-callback-api", "operations", "search-as-you-type", "race-gallery",
        "programs", "service", "Loopback", core, foundation, testing, flyingFox, flyingSocks,
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Every target is compiled with the settings of the library.
for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .strictMemorySafety(),  // SE-0458
  ]
}
