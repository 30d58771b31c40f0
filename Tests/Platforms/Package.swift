// swift-tools-version: 6.2
// What the package has for Apple platforms only, compiled and tested elsewhere: see Documentation/Platforms.md.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "RaceFreeFuturePlatforms",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")],
  targets: [
    // OpenCombine by the name of Apple's module, so that `canImport(Combine)` is true.
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .target(name: "os"),
    // The library itself, through a link: a target must be inside its package, and these are to see the modules above.
    .target(name: "RaceFreeFuture", dependencies: ["CRaceFreeFuture"], path: "Library/RaceFreeFuture"),
    .target(name: "CRaceFreeFuture", path: "Library/CRaceFreeFuture"),
    .target(name: "CSignals", path: "Library/CSignals"),
    .target(
      name: "RaceFreeFutureFoundation",
      dependencies: ["RaceFreeFuture", "CSignals", "Combine", "os"],
      path: "Library/RaceFreeFutureFoundation"
    ),
    .testTarget(
      name: "CombineTests",
      dependencies: ["Combine", "RaceFreeFuture", "RaceFreeFutureFoundation"],
      path: "Interoperation",
      sources: ["CombineTests.swift"]
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
