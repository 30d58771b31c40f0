// swift-tools-version: 6.2
// Benchmarks of RaceFreeFuture, a package of their own, so that the library itself depends on nothing.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

/// Peers that are measured only if somebody asks for them (`--traits PromiseKit`), so that everybody else can do without them.
///
/// The name is that of the trait, the package, its product, and the file in `Sources/benchmarks/Peers`.
let furtherPeers: [(name: String, url: String, from: Version)] = [
  ("PromiseKit", "https://github.com/mxcl/PromiseKit", "8.1.1"),
  ("BrightFutures", "https://github.com/Thomvis/BrightFutures", "8.0.1"),
  ("RxSwift", "https://github.com/ReactiveX/RxSwift", "6.5.0"),
  ("ReactiveSwift", "https://github.com/ReactiveCocoa/ReactiveSwift", "7.1.0"),
]

let package = Package(
  name: "RaceFreeFutureBenchmarks",
  platforms: [.macOS(.v15)],
  traits: Set(furtherPeers.map { .trait(name: $0.name, description: "Measures \($0.name) too.") }),
  dependencies: [
    .package(name: "RaceFreeFuture", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ] + furtherPeers.map { .package(url: $0.url, from: $0.from) },
  targets: [
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CMeasuring",
        "CStopToken",
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ] + furtherPeers.map { .product(name: $0.name, package: $0.name, condition: .when(traits: [$0.name])) }
    ),
    // Our side of the rows in OtherLanguages.
    .executableTarget(name: "tokens", dependencies: [.product(name: "RaceFreeFuture", package: "RaceFreeFuture")]),
    // Operations beside more and more others, for Scripts/growth.sh.
    .executableTarget(
      name: "growth",
      dependencies: ["CMeasuring", .product(name: "RaceFreeFuture", package: "RaceFreeFuture")]
    ),
    // The walks that Scripts/walks.sh counts.
    .executableTarget(
      name: "walks",
      dependencies: ["CMeasuring", .product(name: "RaceFreeFuture", package: "RaceFreeFuture")]
    ),
    // What has no name in Swift that is the same everywhere: the allocator's statistics and the time of a thread.
    .target(name: "CMeasuring"),
    // The peer from C++.
    .target(name: "CStopToken"),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx20
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
