// swift-tools-version: 6.2
// Recipes that join RaceFreeFuture to other packages, one target for each; a package of its own, so that the library
// itself depends on nothing. Nothing depends on this package: its files are there to be copied.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

/// A recipe may use the library and what its line names, so a copy of it needs no more than that.
func recipe(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: [.product(name: "RaceFreeFuture", package: "RaceFreeFuture")] + dependencies)
}

let recipes: [Target] = [
  recipe("TimeoutHeaderRecipe"),
  recipe(
    "GRPCRecipe",
    "TimeoutHeaderRecipe",
    .product(name: "GRPCCore", package: "grpc-swift-2")
  ),
  recipe(
    "AsyncHTTPClientRecipe",
    "TimeoutHeaderRecipe",
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio")
  ),
  recipe(
    "HummingbirdRecipe",
    "TimeoutHeaderRecipe",
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NIOCore", package: "swift-nio")
  ),
  recipe("ServiceLifecycleRecipe", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")),
  recipe(
    "ContextRecipe",
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Instrumentation", package: "swift-distributed-tracing")
  ),
  recipe(
    "ObserversRecipe",
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "Tracing", package: "swift-distributed-tracing")
  ),
  recipe("NIORecipe", .product(name: "NIOCore", package: "swift-nio")),
  recipe("OpenCombineRecipe", .product(name: "OpenCombine", package: "OpenCombine")),
  recipe(
    "FlyingFoxRecipe",
    .product(name: "FlyingFox", package: "FlyingFox"),
    .product(name: "FlyingSocks", package: "FlyingFox")
  ),
  recipe("RaceFreeFutureSubprocess", .product(name: "Subprocess", package: "swift-subprocess")),
  recipe(
    "GRDBRecipe",
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift")
  ),
]

let package = Package(
  name: "RaceFreeFutureIntegrations",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RaceFreeFuture", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: recipes + [
    .executableTarget(
      name: "costs",
      dependencies: recipes.map { .target(name: $0.name) } + [
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
      ]
    ),
    .testTarget(
      name: "SubprocessTests",
      dependencies: [
        "RaceFreeFutureSubprocess",
        .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"),
      ]
    ),
    .testTarget(
      name: "IntegrationTests",
      dependencies: recipes.map { .target(name: $0.name) } + [
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
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
