// swift-tools-version: 6.2
// Examples for RaceFreeFuture, a package of their own, so that the library itself depends on nothing.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "RaceFreeFutureExamples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "fetch", targets: ["fetch"]),
    .executable(name: "first-token", targets: ["first-token"]),
    .executable(name: "composite", targets: ["composite"]),
    .executable(name: "wrap-callback-api", targets: ["wrap-callback-api"]),
    .executable(name: "operations", targets: ["operations"]),
    .executable(name: "search-as-you-type", targets: ["search-as-you-type"]),
    .executable(name: "race-gallery", targets: ["race-gallery"]),
    .executable(name: "bug-hunt", targets: ["bug-hunt"]),
    .executable(name: "service", targets: ["service"]),
  ],
  dependencies: [
    .package(name: "RaceFreeFuture", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "Console",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "first-token",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "composite",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "wrap-callback-api",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "operations",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "search-as-you-type",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]
    ),
    .executableTarget(
      name: "race-gallery",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "bug-hunt",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "service",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]
    ),
    .executableTarget(name: "fetch", dependencies: ["Console", "FetchKit"]),
    .target(
      name: "FetchKit",
      dependencies: [
        "Console",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]
    ),
    .testTarget(
      name: "FetchTests",
      dependencies: [
        "Console",
        "FetchKit",
        "fetch",
        "first-token",
        "composite",
        "wrap-callback-api",
        "operations",
        "search-as-you-type",
        "race-gallery",
        "bug-hunt",
        "service",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"),
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
