// swift-tools-version: 6.2
// RaceFreeFuture: asynchronous work that is stopped safely.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "RaceFreeFuture",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "RaceFreeFuture", targets: ["RaceFreeFuture"]),
    .library(name: "RaceFreeFutureFoundation", targets: ["RaceFreeFutureFoundation"]),
    .library(name: "RaceFreeFutureTesting", targets: ["RaceFreeFutureTesting"]),
  ],
  targets: [
    .target(name: "RaceFreeFuture", dependencies: ["CRaceFreeFuture"]),
    .target(name: "CRaceFreeFuture"),
    .target(name: "CSignals"),
    .target(name: "RaceFreeFutureFoundation", dependencies: ["RaceFreeFuture", "CSignals"]),
    // The tools that know nothing of the runtime, and the explorer, which does. The product re-exports both.
    .target(name: "RaceFreeFutureTesting", dependencies: ["RaceFreeFutureTestingTools", "RaceFreeFutureExploring"]),
    .target(name: "RaceFreeFutureTestingTools", dependencies: ["RaceFreeFuture"]),
    .target(
      name: "RaceFreeFutureExploring",
      dependencies: ["RaceFreeFuture", "RaceFreeFutureTestingTools", "CExploring"]
    ),
    .target(name: "CExploring"),
    .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
    .target(
      name: "TestSupport",
      dependencies: ["RaceFreeFuture", "RaceFreeFutureTesting", "TestEnvironment"],
      path: "Tests/TestSupport"
    ),
    .testTarget(
      name: "RaceFreeFutureTests",
      dependencies: ["RaceFreeFuture", "RaceFreeFutureTesting", "TestSupport"],
      exclude: ["Specification/Graphs"]
    ),
    .testTarget(
      name: "RaceFreeFutureFoundationTests",
      dependencies: ["RaceFreeFuture", "RaceFreeFutureFoundation", "RaceFreeFutureTesting", "TestSupport"]
    ),
    .testTarget(
      name: "RaceFreeFutureTestingTests",
      dependencies: [
        "RaceFreeFuture", "RaceFreeFutureTesting", "RaceFreeFutureTestingTools", "RaceFreeFutureExploring",
        "TestSupport",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// For the scripts of this package, which name these variables.
for target in package.targets {
  // An explorer that is fast, although all else is compiled for debugging.
  if Context.environment["RACEFREEFUTURE_FAST"] != nil,
    ["RaceFreeFutureExploring", "RaceFreeFutureTestingTools"].contains(target.name)
  {
    target.swiftSettings = [.unsafeFlags(["-O", "-assert-config", "Debug"])]
  }
  // With a sanitizer, by its name: in all but the tests, which needn't be compiled once more for it.
  if let sanitizer = Context.environment["RACEFREEFUTURE_SANITIZER"] {
    if target.isTest {
      target.linkerSettings = [.unsafeFlags(["-sanitize=\(sanitizer)"])]
    } else {
      target.cSettings = [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
      if sanitizer == "thread" { target.swiftSettings?.append(.define("RFF_TSAN")) }
    }
  }
}

// Every target is compiled with the same settings.
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),  // SE-0335
      .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
      .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
      .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
      .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
      .strictMemorySafety(),  // SE-0458
    ]
}
